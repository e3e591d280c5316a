// Templates, lambdas, virtual functions, exceptions: names that C++ has and C has not.
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace shapes {

struct Shape {
	virtual ~Shape() = default;
	virtual double area() const = 0;
};

template <int Sides> struct Polygon : Shape {
	double side;
	explicit Polygon(double s) : side(s) {}
	double area() const override { return scaled(side * side) * Sides; }

private:
	static double scaled(double x)
	{
		if (x < 0)
			throw std::domain_error("side of " + std::to_string(Sides));
		return x / 4;
	}
};

namespace {
template <typename F> double sum_by(const std::vector<std::unique_ptr<Shape>> &all, F f)
{
	double sum = 0;
	for (const auto &s : all)
		sum += f(*s);
	return sum;
}
} // namespace

double total(const std::vector<std::unique_ptr<Shape>> &all, double factor)
{
	return sum_by(all, [factor](const Shape &s) { return s.area() * factor; });
}

} // namespace shapes

int main(int argc, char **)
{
	std::vector<std::unique_ptr<shapes::Shape>> all;
	std::map<std::string, double> by_name;

	for (int i = 0; i < 100; i++) {
		if (i % 2)
			all.push_back(std::make_unique<shapes::Polygon<3>>(i));
		else
			all.push_back(std::make_unique<shapes::Polygon<4>>(i * argc));
		by_name["shape " + std::to_string(i)] = all.back()->area();
	}
	std::sort(all.begin(), all.end(),
		  [](const auto &a, const auto &b) { return a->area() < b->area(); });
	std::printf("%g %g\n", shapes::total(all, 2), by_name["shape 7"]);
	return 0;
}
