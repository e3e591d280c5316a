// Work below what compilers make of C++: virtual calls, callbacks of templates, exceptions, threads.
#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

volatile unsigned sink;

struct Node {
	std::unique_ptr<Node> left, right;
	virtual ~Node() = default;
	virtual unsigned visit(const std::function<unsigned(unsigned)> &f, unsigned depth)
	{
		unsigned sum = f(depth);

		if (left)
			sum += left->visit(f, depth + 1);
		if (right)
			sum += right->visit(f, depth + 1);
		return sum;
	}
};

struct Thrower : Node {
	unsigned visit(const std::function<unsigned(unsigned)> &f, unsigned depth) override
	{
		try {
			if (depth == 5)
				throw std::runtime_error("at " + std::to_string(depth));
			return Node::visit(f, depth) + 1;
		} catch (const std::runtime_error &e) {
			return Node::visit(f, depth) + static_cast<unsigned>(e.what()[3]);
		}
	}
};

std::unique_ptr<Node> grow(unsigned depth)
{
	std::unique_ptr<Node> n = depth % 2 ? std::make_unique<Thrower>() : std::make_unique<Node>();

	if (depth) {
		n->left = grow(depth - 1);
		n->right = grow(depth - 1);
	}
	return n;
}

unsigned work(unsigned depth)
{
	std::vector<unsigned> all(40);

	for (unsigned i = 0; i < all.size(); i++)
		all[i] = (i * 2654435761u) ^ depth;
	std::sort(all.begin(), all.end(), [](unsigned a, unsigned b) { return a % 1009 < b % 1009; });
	return all[depth % all.size()];
}

void run(unsigned rounds)
{
	const auto tree = grow(10);

	for (unsigned i = 0; i < rounds; i++)
		sink = sink + tree->visit(work, 0);
}

} // namespace

int main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? static_cast<unsigned>(std::stoul(argv[1])) : 10;
	std::thread other(run, rounds);

	run(rounds);
	other.join();
	return 0;
}
