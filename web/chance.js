// Probability distributions and their tails.  The same as src/base/chance.c.

const noiseSteps = 300;
const noiseSeriesFrom = 12;
// Above this, Student's distribution is nearly normal, and its continued fraction would be slow.
export const noiseNormalDf = 1e5;

// ln Γ(x) by Stirling's series.
function noiseLnGamma(x) {
	let below = 0;
	for (; x < noiseSeriesFrom; x++)
		below += Math.log(x);
	const y = 1 / (x * x);
	return (x - 0.5) * Math.log(x) - x + 0.918938533204672742 - below +
		(1 / 12 - y * (1 / 360 - y * (1 / 1260 - y / 1680))) / x;
}

// The derivative of ln Γ.
export function noiseDigamma(x) {
	let below = 0;
	for (; x < noiseSeriesFrom; x++)
		below += 1 / x;
	const y = 1 / (x * x);
	return Math.log(x) - 0.5 / x - below - y * (1 / 12 - y * (1 / 120 - y / 252));
}

// The second derivative of ln Γ.
export function noiseTrigamma(x) {
	let below = 0;
	for (; x < noiseSeriesFrom; x++)
		below += 1 / (x * x);
	const y = 1 / (x * x);
	return below + 1 / x + y / 2 + y / x * (1 / 6 - y * (1 / 30 - y / 42));
}

// The inverse of trigamma, by bisection, since trigamma decreases.
export function noiseTrigammaInverse(y) {
	let low = 1e-9, high = 1e9;
	for (let i = 0; i < 100; i++) {
		const middle = Math.sqrt(low * high);
		if (noiseTrigamma(middle) > y)
			low = middle;
		else
			high = middle;
	}
	return low;
}

// P(Z >= z): the series of erf near 0, the continued fraction of erfc far from it.
export function normalTail(z) {
	if (z < 0)
		return 1 - normalTail(-z);
	const density = Math.exp(-z * z / 2) * 0.398942280401432678;
	if (z > 3) {
		let fraction = 0;
		for (let i = 60; i > 0; i--)
			fraction = i / (z + fraction);
		return density / (z + fraction);
	}
	let sum = z, term = z;
	for (let i = 3; term > sum * 1e-17 && i < noiseSteps; i += 2) {
		term *= z * z / i;
		sum += term;
	}
	return 0.5 - density * sum;
}

// A factor of a continued fraction must not be 0.
function noiseNotZero(x) {
	return Math.abs(x) < 1e-300 ? 1e-300 : x;
}

// The continued fraction of the incomplete beta function (Lentz).
function noiseBetaFraction(x, a, b) {
	let c = 1, d = 1 / noiseNotZero(1 - (a + b) * x / (a + 1)), h = d;
	for (let m = 1; m <= noiseSteps; m++) {
		const even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		const odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		d = 1 / noiseNotZero(1 + even * d);
		c = noiseNotZero(1 + even / c);
		h *= d * c;
		d = 1 / noiseNotZero(1 + odd * d);
		c = noiseNotZero(1 + odd / c);
		h *= d * c;
		if (Math.abs(d * c - 1) < 1e-15)
			break;
	}
	return h;
}

// P(T >= t) of Student's distribution.
function studentTail(t, df) {
	if (df > noiseNormalDf)
		return normalTail(t);
	if (t <= 0)
		return 0.5;
	const x = df / (df + t * t), a = df / 2;
	const front = Math.exp(noiseLnGamma(a + 0.5) - noiseLnGamma(a) - noiseLnGamma(0.5) +
		a * Math.log(x) + 0.5 * Math.log1p(-x));
	if (x < (a + 1) / (a + 2.5))
		return front * noiseBetaFraction(x, a, 0.5) / a / 2;
	return (1 - front * noiseBetaFraction(1 - x, 0.5, a) / 0.5) / 2;
}

// The t with this tail probability.
export function studentQuantile(tail, df) {
	let low = 0, high = 1;
	while (studentTail(high, df) > tail && high < 1e300)
		high *= 2;
	for (let i = 0; i < 100; i++) {
		const middle = (low + high) / 2;
		if (studentTail(middle, df) > tail)
			low = middle;
		else
			high = middle;
	}
	return high;
}
