/* A source. */
static int twist(int x)
{ return x ^ x << 3; }





int work(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += twist(i);
	/* line 14 */
	/* line 15 */
	/* line 16 */
	/* line 17 */
	/* line 18 */
	/* line 19 */
	/* line 20 */
	/* line 21 */
	/* line 22 */
	/* line 23 */
	/* line 24 */
	/* line 25 */
	/* line 26 */
	/* line 27 */
	/* line 28 */
	/* line 29 */
	/* line 30 */
	/* line 31 */
	/* line 32 */
	/* line 33 */

	memcpy(a, b, 	n); /* café [2J */
	return sum;
}

int main(void)
{
	spin();
	return work(3);
}
