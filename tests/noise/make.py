#!/usr/bin/env python3
"""Write cases.txt: what src/fold/noise.c and web/noise.js must both say.

The values are found by other means than the programs use: chances are exact fractions, quantiles and
gamma functions come from integration and differences.  Run it after a change of the rules in
docs/diff.md, and read the difference.
"""
import math
import os
import random
from fractions import Fraction
from functools import lru_cache

FLOOR_ODDS, FLOOR_SHARE, FLOOR_KERNEL = 0.05, 0.003, 0.5  # how much recordings of one program differ, with one a side: docs/diff.md


# ---- distributions, the slow way ----

def integral(f, a, b, n=4000):
    h = (b - a) / n
    return h / 3 * (f(a) + f(b) + sum((4 if i % 2 else 2) * f(a + i * h) for i in range(1, n)))


def student_tail(t, df):
    """P(T >= t): with T = tan(u) sqrt(df), the density is cos(u)^(df - 1)."""
    c = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(math.pi)
    return c * integral(lambda u: math.cos(u) ** (df - 1), math.atan(t / math.sqrt(df)), math.pi / 2)


def normal_tail(z):
    return math.erfc(z / math.sqrt(2)) / 2


@lru_cache(None)
def quantile(tail, df):
    low, high = 0.0, 1e6
    for _ in range(80):
        middle = (low + high) / 2
        if (normal_tail(middle) if df > 1e5 else student_tail(middle, df)) > tail:
            low = middle
        else:
            high = middle
    return high


def digamma(x):
    """From far out, where ln x - 1/2x is exact enough, down."""
    below = 0.0
    while x < 1e4:
        below += 1 / x
        x += 1
    return math.log(x) - 0.5 / x - 1 / (12 * x * x) - below


def trigamma(x):
    below = 0.0
    while x < 1e4:
        below += 1 / (x * x)
        x += 1
    return 1 / x + 0.5 / (x * x) + 1 / (6 * x ** 3) + below


def trigamma_inverse(y):
    low, high = 1e-6, 1e8
    for _ in range(100):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if trigamma(middle) > y else (low, middle)
    return low


# ---- one frame ----

class Heap:
    def __init__(self, rate, size, k):
        self.rate, self.size, self.nr, self.x = rate, size, k[0] + k[1], k[1]
        self.low = 0 if rate else max(0, self.nr - size[0])
        self.high = self.nr if rate else min(self.nr, size[1])
        start = 1 if rate else math.comb(size[1], self.low) * math.comb(size[0], self.nr - self.low)
        self.ways = [start]
        for x in range(self.low, self.high):
            more, less = self.nr - x, x + 1
            if not rate:
                more, less = more * (size[1] - x), less * (size[0] - self.nr + x + 1)
            self.ways.append(self.ways[-1] * more // less)

    def tails(self, odds):
        """Exact: P(X >= x), P(X <= x) where odds is a fraction."""
        top, bottom, nr = odds.numerator, odds.denominator, len(self.ways)
        w = self.ways
        if odds != 1:
            w = [ways * top ** i * bottom ** (nr - 1 - i) for i, ways in enumerate(w)]
        total, at = sum(w), self.x - self.low
        return Fraction(sum(w[at:]), total), Fraction(sum(w[:at + 1]), total)

    def odds(self, m):
        odds = m / (self.nr - m)
        return odds if self.rate else odds * (self.size[0] - self.nr + m) / (self.size[1] - m)

    def expected(self):
        size = [Fraction(s) for s in self.size]
        return self.nr * size[1] / (size[0] + size[1])

    def chance(self):
        if self.low == self.high:
            return 1.0
        return min(1.0, 2 * float(min(self.tails(self.odds(self.expected())))))

    def least_chance(self):
        if self.low == self.high:
            return 1.0
        odds, ends = self.odds(self.expected()), []
        x = self.x
        for self.x in (self.low, self.high):
            ends += self.tails(odds)
        self.x = x
        return min(1.0, 2 * float(min(ends)))

    def limit(self, end, tail):
        """Where the tail of x is as small as that; floats are enough here."""
        if end == self.x:
            return end
        inside, side = float(self.x), 0 if end < self.x else 1
        logs = [math.log(w) for w in self.ways]
        end = float(end)
        for _ in range(60):
            m = (inside + end) / 2
            lo = math.log(self.odds(m))
            terms = [l + lo * i for i, l in enumerate(logs)]
            top = max(terms)
            w = [math.exp(t - top) for t in terms]
            at = self.x - self.low
            p = (sum(w[at:]) if side == 0 else sum(w[:at + 1])) / sum(w)
            inside, end = (m, end) if p > tail else (inside, m)
        return inside


def wilson(rate, count, size, z):
    if rate:
        root = z * math.sqrt(count + z * z / 4)
        return (count - (count + z * z / 2 - root)) / size, (z * z / 2 + root) / size
    p = count / size
    middle = (p + z * z / (2 * size)) / (1 + z * z / size)
    half = z / (1 + z * z / size) * math.sqrt(p * (1 - p) / size + z * z / (4 * size * size))
    return p - (middle - half), middle + half - p


# ---- a family ----

class Family:
    def __init__(self, rate, total, time, confidence, runs, items, measured=False, kernel=None, missed=0):
        """items: (parent, k1, k2, run counts of both sides); measured: not sampled; kernel: by item, samples in the kernel"""
        self.kernel = kernel
        self.missed = missed
        self.measured = measured
        self.rate, self.total, self.confidence, self.runs, self.items = rate, total, confidence, runs, items
        self.time = time
        self.size = time if rate else total
        self.same = [i > 0 and sum(t[1:3]) == sum(items[t[0]][1:3]) for i, t in enumerate(items)]
        alpha = 1 - confidence
        least = [(0 if sum(t[1:3]) else 1) if measured else self.heap(t).least_chance() for t, same in zip(items, self.same) if not same]
        self.nr = next(k for k in range(1, len(least) + 2) if sum(p <= alpha / k for p in least) <= k)
        self.level = alpha / self.nr
        self.z = quantile(self.level / 2, 1e9)
        self.spread = len(runs[0]) + len(runs[1]) > 2
        if self.spread:
            self.fit()

    def heap(self, item):
        return Heap(self.rate, self.size, item[1:3])

    def change(self, item, m=None):
        k = (item[1] + item[2] - (item[2] if m is None else m), item[2] if m is None else m)
        d = k[1] / self.size[1] - k[0] / self.size[0]
        return d * self.time[0] / self.total[0] if self.rate else d

    def squares(self, item):
        s = 0.0
        for k in range(2):
            p = item[1 + k] / self.size[k]
            for size, seen in zip(self.runs[k], item[3][k]):
                v = size * p * (1 if self.rate else 1 - p)
                if v > 0:
                    s += ((seen - size * p) / v) ** 2 if self.measured else (seen - size * p) ** 2 / v
        return s

    def df(self, item=None):
        return sum(len(self.runs[k]) - 1 for k in range(2)
                   if not item or (item[1 + k] > 0 and (self.rate or item[1 + k] < self.total[k])))

    def tells(self, i):
        t = self.items[i]
        if self.measured:
            return not self.same[i] and self.df(t) == self.df() and self.squares(t) > 1e-20
        return not self.same[i] and all(
            t[1 + k] >= 5 * len(self.runs[k]) and (self.rate or self.total[k] - t[1 + k] >= 5 * len(self.runs[k]))
            for k in range(2))

    def fit(self):
        telling = [i for i in range(len(self.items)) if self.tells(i)]
        df = self.df()
        self.typical, self.typical_df, self.most_df = 0.0 if self.measured else 1.0, 0.0, df
        if len(telling) < 3:
            return

        def above(i, j):
            while j > i:
                j = self.items[j][0]
            return j == i
        disjoint = sum(not any(j > i and above(i, j) for j in telling) for i in telling)
        self.most_df = df * disjoint
        own = [self.squares(self.items[i]) / df for i in telling]
        logs = [math.log(s if self.measured else max(s, 1e-3)) for s in own]
        mean = sum(logs) / len(logs)
        excess = sum((x - mean) ** 2 for x in logs) / (len(logs) - 1) - trigamma(df / 2)
        if excess > 1e-8:
            d0 = self.typical_df = 2 * trigamma_inverse(excess)
            self.typical = math.exp(mean - digamma(df / 2) + math.log(df / 2) + digamma(d0 / 2) - math.log(d0 / 2))
        else:
            self.typical_df, self.typical = math.inf, sum(own) / len(own)

    def reach(self, item):
        v = floor = 0.0
        for k in range(2):
            p = item[1 + k] / self.size[k]
            rest = 1 if self.rate else 1 - p
            if self.measured:
                v += (p * rest) ** 2 * sum(s * s for s in self.runs[k]) / sum(self.runs[k]) ** 2
            else:
                v += p * rest / self.size[k]
            floor += (FLOOR_ODDS * p * rest) ** 2 + (FLOOR_SHARE * self.total[k] / self.size[k]) ** 2
            if self.kernel:
                at = next(i for i, t in enumerate(self.items) if t is item)
                own, all = self.kernel[at][k] / self.size[k], self.kernel[0][k] / self.size[k]
                parts = [own] if self.rate else [own * (1 - p), (all - own) * p]
                floor += sum((FLOOR_KERNEL * part) ** 2 for part in parts)
        reach = self.z * math.sqrt(v + floor)
        if self.spread:
            df, d0, least = self.df(item), self.typical_df, 0 if self.measured else 1
            if math.isinf(d0) or d0 + df <= 0:
                phi = max(least, self.typical)
            else:
                phi = max(least, (d0 * self.typical + self.squares(item)) / (d0 + df))
            reach = quantile(self.level / 2, max(1, min(self.most_df, d0 + df))) * math.sqrt(phi * v)
        reach += self.missed * max(total / size for total, size in zip(self.total, self.size))
        return reach * self.time[0] / self.total[0] if self.rate else reach

    def bound(self, x):
        """A limit: shares change by 1 at most"""
        return x if self.rate else max(-1, min(1, x))

    def judge(self, item):
        """(verdict, chance, change, low, high); measurements have no chance"""
        if self.measured:
            d, reach = self.change(item), self.reach(item)
            return (0 if abs(d) <= reach else 1 if d > 0 else 2), 0, d, self.bound(d - reach), self.bound(d + reach)
        h = self.heap(item)
        d, p = self.change(item), h.chance()
        low = self.change(item, h.limit(h.low, self.level / 2))
        high = self.change(item, h.limit(h.high, self.level / 2))
        unit = self.time[0] / self.total[0] if self.rate else 1
        w = [wilson(self.rate, item[1 + k], self.size[k], self.z) for k in range(2)]
        more, less = low > 0, high < 0
        if not more:
            low = min(low, d - unit * math.hypot(w[1][0], w[0][1]))
        if not less:
            high = max(high, d + unit * math.hypot(w[1][1], w[0][0]))
        flagged = p <= self.level
        reach = self.reach(item)
        low, high = min(low, d - reach), max(high, d + reach)
        flagged = flagged and abs(d) > reach
        verdict = 0 if not flagged else 1 if d > 0 else 2
        assert (low > 0 or high < 0) == flagged, (item, low, high, flagged)
        return verdict, p, d, self.bound(low), self.bound(high)


# ---- the cases ----

def number(x):
    return 'inf' if math.isinf(x) else '%d' % x if x == int(x) and abs(x) < 1e15 else '%.12g' % x


def write(out, name, family):
    f = family
    line = lambda *words: print(*(w if isinstance(w, str) else number(w) for w in words), file=out)
    line('#', name)
    line('family', ('measured-' if f.measured else '') + ('rate' if f.rate else 'share'), *f.total, *f.time, f.confidence, len(f.runs[0]), len(f.runs[1]), f.missed)
    if f.spread:
        line('run', *f.runs[0], *f.runs[1])
    for item in f.items:
        line('item', item[0], item[1], item[2], *(x for side in item[3] for x in side) if f.spread else ())
    for pair in f.kernel or ():
        line('kernel', *pair)
    for item in f.items:
        line('want', *f.judge(item))
    line('end', f.nr, f.typical if f.spread else 1, f.typical_df if f.spread else 0)
    print(file=out)


def alone(rate, total, time, k, confidence=0.95):
    return Family(rate, total, time, confidence, ([total[0]], [total[1]]), [(0, *k, None)])


def tree(rng, nr_leaf):
    """Parents of an invented tree, and the nodes that samples end in."""
    parent = [0]
    while len(parent) < nr_leaf:
        parent.append(rng.randrange(max(0, len(parent) - 6), len(parent)) if len(parent) > 1 else 0)
    return parent


def sampled(rng, parent, weights, n):
    k = [0] * len(parent)
    for i in rng.choices(range(len(parent)), weights=weights, k=n):
        k[i] += 1
    for i in range(len(parent) - 1, 0, -1):
        k[parent[i]] += k[i]
    return k


def runs_of(rng, parent, weights, sizes, sigma, rate=False):
    runs = []
    for n in sizes:
        w = [x * math.exp(rng.gauss(0, sigma)) for x in weights]
        runs.append(sampled(rng, parent, w, int(n * math.exp(rng.gauss(0, sigma))) if rate else n))
    return runs


def compared(rng, parent, before, after, sizes, sigma, rate=False, confidence=0.95):
    b = runs_of(rng, parent, before, sizes[0], sigma, rate)
    a = runs_of(rng, parent, after, sizes[1], sigma, rate)
    items = [(parent[i], sum(r[i] for r in b), sum(r[i] for r in a), ([r[i] for r in b], [r[i] for r in a]))
             for i in range(len(parent))]
    total = (items[0][1], items[0][2])
    time = (1, 1)
    runs = ([1 / len(b)] * len(b), [1 / len(a)] * len(a)) if rate else ([r[0] for r in b], [r[0] for r in a])
    return Family(rate, total, time, confidence, runs, items)


def in_kernel(rng, parent, before, after, sizes, rate, missed):
    """What is below node 5 is in the kernel, and takes half as long again after."""
    inside = [False] * len(parent)
    for i in range(1, len(parent)):
        inside[i] = i == 5 or inside[parent[i]]
    f = compared(rng, parent, before, [w * 1.5 if i else w for i, w in zip(inside, after)], sizes, 0, rate)
    own = [[t[1 + k] - sum(u[1 + k] for j, u in enumerate(f.items) if j and u[0] == i) for k in range(2)]
           for i, t in enumerate(f.items)]
    kernel = [[n if inside[i] else 0 for n in pair] for i, pair in enumerate(own)]
    for i in range(len(parent) - 1, 0, -1):
        kernel[parent[i]] = [a + b for a, b in zip(kernel[parent[i]], kernel[i])]
    return Family(rate, f.total, f.time, f.confidence, f.runs, f.items, kernel=kernel, missed=missed)


def measured(rng, parent, before, after, nr_run, sigma, rate=False):
    """What each node takes itself varies by a part of it, between runs; sigma None: nothing does."""
    sides = []
    for weights in (before, after):
        sides.append([])
        for _ in range(nr_run):
            k = [round(1e6 * w * (1 if sigma is None else math.exp(rng.gauss(0, sigma)))) for w in weights]
            for i in range(len(parent) - 1, 0, -1):
                k[parent[i]] += k[i]
            sides[-1].append(k)
    b, a = sides
    items = [(parent[i], sum(r[i] for r in b), sum(r[i] for r in a), ([r[i] for r in b], [r[i] for r in a]))
             for i in range(len(parent))]
    runs = ([1 / nr_run] * nr_run,) * 2 if rate else ([r[0] for r in b], [r[0] for r in a])
    return Family(rate, (items[0][1], items[0][2]), (1, 1), 0.95, runs, items, measured=True)


def main():
    rng = random.Random('noise 1')
    parent = tree(rng, 40)
    weights = [rng.paretovariate(1.1) for _ in parent]
    planted = list(weights)
    planted[7] += sum(weights) * 0.05
    gone = [0 if i == 11 else w for i, w in enumerate(weights)]
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'cases.txt'), 'w') as out:
        print('# Written by make.py.  A family: model, samples and time of before and after, confidence, runs of each;\n'
              '# share that was not sampled; its items: parent, samples of before and after, and by run; of each how many are in\n'
              '# the kernel, if any; what is wanted of each: verdict, chance, change, low, high; and of all: number of tests, typical dispersion, what that is worth.\n', file=out)
        for rate, total, time, k in [
                (False, (1000, 1000), (1, 1), (10, 30)), (False, (10000, 5000), (1, 1), (100, 80)),
                (False, (1000, 1000), (1, 1), (0, 10)), (False, (1000, 1000), (1, 1), (10, 0)),
                (False, (1000, 1000), (1, 1), (600, 650)), (False, (100, 30000), (1, 1), (3, 100)),
                (False, (2000, 100), (1, 1), (1990, 60)), (False, (50, 50), (1, 1), (50, 50)),
                (False, (50, 50), (1, 1), (1, 0)), (True, (1000, 1200), (1, 1), (10, 30)),
                (True, (1000, 3000), (10, 30), (100, 310)), (True, (1000, 1000), (2.5, 0.5), (200, 0)),
                (True, (700, 900), (1, 1), (700, 900))]:
            write(out, 'one frame', alone(rate, total, time, k))
        write(out, 'one frame, 99.9 %', alone(False, (1000, 1000), (1, 1), (10, 30), 0.999))
        one = ((4000,), (6000,))
        write(out, 'nothing changed', compared(rng, parent, weights, weights, one, 0))
        write(out, 'a function is slower', compared(rng, parent, weights, planted, one, 0))
        write(out, 'a function is gone', compared(rng, parent, weights, gone, one, 0))
        write(out, 'all is slower', compared(rng, parent, weights, weights, ((4000,), (5000,)), 0, rate=True))
        five = ([1500] * 5, [1500] * 5)
        write(out, 'runs that differ', compared(rng, parent, weights, weights, five, 0.4))
        write(out, 'runs that differ, and a function is slower', compared(rng, parent, weights, planted, five, 0.2))
        write(out, 'runs that differ by sampling alone', compared(rng, parent, weights, planted, five, 0))
        write(out, 'three against one', compared(rng, parent, weights, gone, ([900, 1000, 1100], [1000]), 0.2))
        write(out, 'numbers of runs that differ', compared(rng, parent, weights, planted, ([1500] * 4, [1500] * 3), 0.1,
                                                           rate=True))
        write(out, 'measurements that vary', measured(rng, parent, weights, weights, 3, 0.1))
        write(out, 'measurements that vary, and a function is slower', measured(rng, parent, weights, planted, 5, 0.02))
        write(out, 'measurements of a function that is gone', measured(rng, parent, weights, gone, 4, 0.05))
        write(out, 'measurements, and a function is slower', measured(rng, parent, weights, planted, 3, 0.03, rate=True))
        write(out, 'measurements that never vary', measured(rng, parent, weights, planted, 4, None, rate=True))
        for rate in False, True:
            for missed in 0, 0.1:
                write(out, 'a part is in the kernel' + (', and a part was missed' if missed else ''),
                      in_kernel(rng, parent, weights, planted, one, rate, missed))


if __name__ == '__main__':
    main()
