// A function on a stack of its own, by boost.context.
#include <boost/context/fiber.hpp>

#include <utility>

static volatile unsigned long sum;

__attribute__((noinline)) static void spin()
{
	for (unsigned long i = 0; i < 4000000; i++)
		sum = sum + i;
}

int main()
{
	for (int i = 0; i < 40; i++) {
		boost::context::fiber fiber([](boost::context::fiber &&back) {
			spin();
			back = std::move(back).resume();
			spin();
			return std::move(back);
		});

		fiber = std::move(fiber).resume();
		fiber = std::move(fiber).resume();
	}
}
