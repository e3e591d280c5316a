// main → spin → a method and a template: names as D's compilers mangle them.
struct Shape
{
    int n;

    int area(int k) const
    {
        int sum;
        foreach (i; 0 .. k)
            sum += i * n ^ sum;
        return sum;
    }
}

T twice(T)(T x)
{
    T sum;
    foreach (i; 0 .. 2000)
        sum += cast(T)(x * i);
    return sum;
}

int spin(int rounds)
{
    int sum;
    auto shape = Shape(3);
    foreach (i; 0 .. rounds)
        sum += shape.area(2000) + twice!int(i);
    return sum;
}

int main()
{
    return spin(30_000) == 1;
}
