// Formatted numbers, with no-break spaces.  src/render/number.c writes the same.

const BLANK = '\u00a0';
const MINUS = '\u2212';

// `1,234,567`, with `digits` after the decimal point.
export function formatNumber(n, digits = 0) {
	const [whole, rest] = Math.abs(n).toFixed(digits).split('.');
	const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
	const sign = n < 0 && /[1-9]/.test(grouped + rest) ? MINUS : '';
	return sign + (rest ? `${grouped}.${rest}` : grouped);
}

// Units to show measures in, largest first: [used from this value on, and divided by it; name].
const UNITS = {
	ns: [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']],
	us: [[1e6, 's'], [1e3, 'ms'], [1, 'µs']],
	ms: [[1e3, 's'], [1, 'ms']],
	bytes: [[2 ** 40, 'TiB'], [2 ** 30, 'GiB'], [2 ** 20, 'MiB'], [2 ** 10, 'KiB'], [1, 'bytes']],
};
const UNIT_NAMES = {nanoseconds: 'ns', microseconds: 'us', 'µs': 'us', milliseconds: 'ms', byte: 'bytes', B: 'bytes'};

// A measure has about three digits.
function threeDigits(n) {
	const size = Math.abs(n);
	return formatNumber(n, size >= 100 || Number.isInteger(n) ? 0 : size >= 10 ? 1 : 2);
}

// A count has all digits.
function allDigits(n) {
	return formatNumber(n, Number.isInteger(n) ? 0 : 2);
}

export function formatCount(n, unit = '') {
	const steps = UNITS[UNIT_NAMES[unit] ?? unit];
	if (!steps)
		return allDigits(n) + (unit && BLANK + unitOf(n, unit));
	const [size, name] = steps.find(([least]) => Math.abs(n) >= 0.9995 * least) ?? steps[steps.length - 1];
	return threeDigits(n / size) + BLANK + name;
}

// The singular, for one.
function unitOf(n, unit) {
	return Math.abs(n) === 1 && unit === 'samples' ? 'sample' : unit;
}

// A share from 0 to 1 as `12.3 %`; only 0 itself is `0 %`.
export function formatShare(x) {
	const percent = x * 100;
	if (percent > 0 && percent < 0.01)
		return `<${BLANK}0.01${BLANK}%`;
	const digits = percent >= 99.95 || percent === 0 ? 0 : percent < 1 ? 2 : 1;
	return formatNumber(percent, digits) + BLANK + '%';
}

// `+2.1 pt`: the difference of two shares, always with its sign.
export function formatDelta(x) {
	const points = x * 100;
	const text = formatNumber(Math.abs(points), Math.abs(points) < 0.995 ? 2 : 1);
	const sign = !/[1-9]/.test(text) ? '±' : x < 0 ? MINUS : '+';
	return `${sign}${sign === '±' ? '0' : text}${BLANK}pt`;
}
