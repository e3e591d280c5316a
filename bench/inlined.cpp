// What compilers inline most: standard containers, algorithms and lambdas, a tree of templates
// and a matcher that calls itself.  Recorded by recordings.py; runs for the seconds of CPU time asked for.
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <regex>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace {

struct random_numbers {
	unsigned long state = 88172645463325252ul;

	unsigned long next()
	{
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		return state;
	}
	unsigned long below(unsigned long n) { return next() % n; }
};

struct order {
	std::string name;
	double price;
	unsigned amount;
};

using orders = std::vector<order>;

orders some_orders(random_numbers &r, size_t n)
{
	orders all(n);

	std::generate(all.begin(), all.end(), [&r] {
		return order{ "item-" + std::to_string(r.below(500)), double(r.below(10000)) / 100,
			      unsigned(r.below(40)) };
	});
	return all;
}

double totals(const orders &all)
{
	std::map<std::string, std::vector<double>> by_name;
	std::unordered_map<std::string, unsigned> amounts;
	double sum = 0;

	for (const auto &o : all) {
		by_name[o.name].push_back(o.price * o.amount);
		amounts[o.name] += o.amount;
	}
	for (auto &[name, prices] : by_name) {
		std::sort(prices.begin(), prices.end(), std::greater<>());
		sum += std::accumulate(prices.begin(), prices.end(), 0.0) / amounts[name];
	}
	return sum;
}

double dearest(orders all)
{
	std::sort(all.begin(), all.end(), [](const order &a, const order &b) {
		return a.price != b.price ? a.price > b.price : a.name < b.name;
	});
	all.erase(std::unique(all.begin(), all.end(),
			      [](const order &a, const order &b) { return a.name == b.name; }),
		  all.end());
	return std::transform_reduce(all.begin(), all.end(), 0.0, std::plus<>(),
				     [](const order &o) { return o.price; });
}

// An expression: a tree of variants that visits itself.
struct node;
using child = std::unique_ptr<node>;
struct binary {
	char op;
	child left, right;
};
struct node {
	std::variant<double, binary> what;
};

child grow(random_numbers &r, int depth)
{
	if (!depth || !r.below(8))
		return std::make_unique<node>(node{ double(r.below(100)) });
	return std::make_unique<node>(node{ binary{ "+-*"[r.below(3)], grow(r, depth - 1), grow(r, depth - 1) } });
}

double value(const node &n);

struct evaluate {
	double operator()(double d) const { return d; }
	double operator()(const binary &b) const
	{
		double left = value(*b.left), right = value(*b.right);

		switch (b.op) {
		case '+':
			return left + right;
		case '-':
			return left - right;
		default:
			return left * right / 100;
		}
	}
};

double value(const node &n)
{
	return std::visit(evaluate{}, n.what);
}

size_t matches(const orders &all)
{
	static const std::regex pattern("(item)-(([0-9])([0-9]?)*)(5|6|7)+");

	return size_t(std::count_if(all.begin(), all.end(), [](const order &o) {
		std::smatch found;

		return std::regex_search(o.name, found, pattern) && found.length(2) > 0;
	}));
}

template <typename T> class matrix {
public:
	explicit matrix(size_t n) : n(n), cell(n * n) {}
	T &at(size_t i, size_t k) { return cell.at(i * n + k); }
	const T &at(size_t i, size_t k) const { return cell.at(i * n + k); }
	friend matrix operator*(const matrix &a, const matrix &b)
	{
		matrix product(a.n);

		for (size_t i = 0; i < a.n; i++)
			for (size_t k = 0; k < a.n; k++) {
				T sum{};

				for (size_t j = 0; j < a.n; j++)
					sum += a.at(i, j) * b.at(j, k);
				product.at(i, k) = sum;
			}
		return product;
	}

private:
	size_t n;
	std::vector<T> cell;
};

double multiply(random_numbers &r)
{
	matrix<double> a(24), b(24);

	for (size_t i = 0; i < 24; i++)
		for (size_t k = 0; k < 24; k++)
			a.at(i, k) = b.at(k, i) = double(r.below(10));
	return (a * b * a).at(3, 5);
}

} // namespace

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1, sum = 0;
	random_numbers r;
	const std::vector<std::function<double(const orders &)>> work = {
		totals,
		[](const orders &all) { return dearest(all); },
		[](const orders &all) { return double(matches(all)); },
		[&r](const orders &) { return value(*grow(r, 12)); },
		[&r](const orders &) { return multiply(r); },
	};

	while (double(clock()) / CLOCKS_PER_SEC < seconds)
		for (const auto &step : work)
			sum += step(some_orders(r, 300));
	return sum == 0;
}
