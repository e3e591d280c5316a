// The exact test of a frame's change: the samples of both sides are pooled in one heap, and each is assigned to after
// at random, with given odds.  docs/diff.md has the formulas; the same steps as src/fold/heap.c.
import {normalTail} from './chance.js';

// The variance of after's part of a heap when m is expected.
export function noiseVariance(h, m) {
	const rest = h.nr - m;
	if (m <= 0 || rest <= 0)
		return 0;
	if (h.rate)
		return m * rest / h.nr;
	if (h.after - m <= 0 || h.before - rest <= 0)
		return 0;
	return 1 / (1 / m + 1 / rest + 1 / (h.after - m) + 1 / (h.before - rest));
}

// Above this variance, the normal distribution is used: exact sums would be slow and no better.
export const noiseLarge = 1e5;
// If one tail is this many times as likely as x, the other one is practically 0.
const noiseEnough = 1e60;

// The ratio of the probabilities that j + 1 and that j of the samples are after's.
function noiseStep(h, odds, j) {
	const ratio = odds * ((h.nr - j) / (j + 1));
	return h.rate ? ratio : ratio * ((h.after - j) / (h.before - h.nr + j + 1));
}

// The probability of more than x, as a multiple of that of x.
function noiseAbove(h, odds) {
	let sum = 0, term = 1;
	for (let j = h.x; j < h.high && sum < noiseEnough; j++) {
		const ratio = noiseStep(h, odds, j);
		term *= ratio;
		sum += term;
		if (ratio < 1 && term * ratio < (sum + 1) * 1e-16 * (1 - ratio))
			break;
	}
	return sum;
}

// The same for less than x.
function noiseBelow(h, odds) {
	let sum = 0, term = 1;
	for (let j = h.x; j > h.low && sum < noiseEnough; j--) {
		const ratio = 1 / noiseStep(h, odds, j - 1);
		term *= ratio;
		sum += term;
		if (ratio < 1 && term * ratio < (sum + 1) * 1e-16 * (1 - ratio))
			break;
	}
	return sum;
}

// [P(x or more), P(x or fewer)] when m are expected.
export function noiseTails(h, m) {
	if (h.high <= h.low)
		return [1, 1];
	if (m <= h.low || m >= h.high)
		return [m >= h.high || h.x <= h.low ? 1 : 0, m <= h.low || h.x >= h.high ? 1 : 0];
	if (h.large) {
		const sd = Math.sqrt(noiseVariance(h, m));
		return [normalTail((h.x - m - 0.5) / sd), normalTail((m - h.x - 0.5) / sd)];
	}
	const share = h.rate ? 1 : (h.before - h.nr + m) / (h.after - m);
	const odds = m / (h.nr - m) * share;
	const above = noiseAbove(h, odds), below = noiseBelow(h, odds);
	return [(above + 1) / (above + 1 + below), (below + 1) / (above + 1 + below)];
}
