// What rustc inlines most: iterators, closures, maps and formatting, below a parser and a tree
// that call themselves.  Recorded by recordings.py; runs for about the seconds asked for.
use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

struct Numbers(u64);

impl Iterator for Numbers {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        Some(self.0)
    }
}

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.next().map_or(0, |x| x % n)
    }
}

#[derive(Clone)]
struct Order {
    name: String,
    price: f64,
    amount: u64,
}

fn some_orders(r: &mut Numbers, n: usize) -> Vec<Order> {
    (0..n)
        .map(|_| Order {
            name: format!("item-{}", r.below(500)),
            price: r.below(10_000) as f64 / 100.0,
            amount: r.below(40),
        })
        .collect()
}

fn totals(all: &[Order]) -> f64 {
    let mut by_name: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let mut amounts: HashMap<&str, u64> = HashMap::new();
    for o in all {
        by_name.entry(&o.name).or_default().push(o.price * o.amount as f64);
        *amounts.entry(&o.name).or_insert(0) += o.amount;
    }
    by_name
        .into_iter()
        .map(|(name, mut prices)| {
            prices.sort_by(|a, b| b.total_cmp(a));
            prices.iter().sum::<f64>() / (1 + amounts[name]) as f64
        })
        .sum()
}

fn dearest(all: &[Order]) -> f64 {
    let mut all = all.to_vec();
    all.sort_by(|a, b| b.price.total_cmp(&a.price).then_with(|| a.name.cmp(&b.name)));
    all.dedup_by(|a, b| a.name == b.name);
    all.iter().zip(all.iter().skip(1)).filter(|(a, b)| a.price > b.price).map(|(a, _)| a.price).sum()
}

enum Tree {
    Leaf(f64),
    Node(char, Box<Tree>, Box<Tree>),
}

fn grow(r: &mut Numbers, depth: u32) -> Tree {
    if depth == 0 || r.below(8) == 0 {
        return Tree::Leaf(r.below(100) as f64);
    }
    let op = ['+', '-', '*'][r.below(3) as usize];
    Tree::Node(op, Box::new(grow(r, depth - 1)), Box::new(grow(r, depth - 1)))
}

impl Tree {
    fn value(&self) -> f64 {
        match self {
            Tree::Leaf(x) => *x,
            Tree::Node('+', a, b) => a.value() + b.value(),
            Tree::Node('-', a, b) => a.value() - b.value(),
            Tree::Node(_, a, b) => a.value() * b.value() / 100.0,
        }
    }

    fn write(&self, out: &mut String) {
        match self {
            Tree::Leaf(x) => out.push_str(&format!("{x}")),
            Tree::Node(op, a, b) => {
                out.push('(');
                a.write(out);
                out.push(*op);
                b.write(out);
                out.push(')');
            }
        }
    }
}

fn parse(text: &mut std::iter::Peekable<std::str::Chars>) -> Option<Tree> {
    if text.next_if_eq(&'(').is_none() {
        let digits: String = std::iter::from_fn(|| text.next_if(|c| c.is_ascii_digit())).collect();
        return digits.parse().ok().map(Tree::Leaf);
    }
    let left = parse(text)?;
    let op = text.next()?;
    let right = parse(text)?;
    text.next()?;
    Some(Tree::Node(op, Box::new(left), Box::new(right)))
}

fn expressions(r: &mut Numbers) -> f64 {
    let mut text = String::new();
    grow(r, 10).write(&mut text);
    parse(&mut text.chars().peekable()).map_or(0.0, |t| t.value())
}

fn words(all: &[Order]) -> f64 {
    let text: Vec<String> = all.iter().map(|o| o.name.to_uppercase()).collect();
    text.join(" ")
        .split_whitespace()
        .flat_map(|w| w.char_indices())
        .filter(|(i, c)| c.is_alphanumeric() && i % 2 == 0)
        .fold(0.0, |sum, (i, c)| sum + i as f64 * f64::from(c as u32))
}

fn main() {
    let seconds = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(1.0);
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    let mut r = Numbers(88172645463325252);
    let mut sum = 0.0;
    while Instant::now() < end {
        let all = some_orders(&mut r, 300);
        sum += totals(&all) + dearest(&all) + words(&all) + expressions(&mut r);
    }
    std::process::exit(i32::from(sum == 0.0));
}
