/* Functions whose own names are hidden, and that others know by aliases. */
static volatile unsigned long sum;

__attribute__((visibility("hidden"), noinline)) void __GI_public(void)
{
	for (unsigned long i = 0; i < 300000000; i++)
		sum += i;
}

void public(void) __attribute__((weak, alias("__GI_public")));

__attribute__((visibility("hidden"), noinline)) void __begin_impl(void)
{
	for (unsigned long i = 0; i < 300000000; i++)
		sum += i;
}

void __begin(void) __attribute__((weak, alias("__begin_impl")));

int main(void)
{
	__GI_public();
	__begin_impl();
	return 0;
}
