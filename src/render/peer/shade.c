/* Shades are computed as in flamegraph.pl and inferno, so that pictures keep their colors. */
#include "render/peer/shade.h"

/* inferno's generator: xorshift64, its upper 53 bits as a number from 0 up to 1. */
static float next_running(struct colors *c)
{
	c->running ^= c->running << 13;
	c->running ^= c->running >> 7;
	c->running ^= c->running << 17;
	return (float)((double)(c->running >> 11) * 0x1p-53);
}

/* An iterator over the letters of a name: characters as in Perl, or bytes as in inferno. */
struct letters {
	struct span name;
	bool characters, backwards;
};

/* Removes the next letter from the name; returns its code. */
static unsigned next_letter(struct letters *l)
{
	const unsigned char *u = (const unsigned char *)l->name.at;
	size_t last = l->name.size - 1, at = l->backwards ? last : 0, n = 1;
	unsigned letter;

	if (l->characters && l->backwards)
		while (at > 0 && last - at < 3 && (u[at] & 0xc0) == 0x80)
			at--;
	if (l->characters && u[at] >= 0xc0)
		while (n < 4 && at + n <= last && (u[at + n] & 0xc0) == 0x80)
			n++;
	/* UTF-8: the first byte begins with as many ones as the character has bytes. */
	letter = n > 1 ? u[at] & (0x7fu >> n) : u[at];
	for (size_t i = 1; i < n; i++)
		letter = letter << 6 | (u[at + i] & 0x3f);
	l->name = l->backwards ? span_upto(l->name, at) : span_from(l->name, n);
	return letter;
}

/* A number from 0 to 1 by the first three letters, of which the first counts most. */
static float first_letters(struct letters l)
{
	float vector = 0, weight = 1, max = 1;

	for (unsigned modulo = 10; l.name.size && modulo <= 12; modulo++) {
		vector += (float)(next_letter(&l) % modulo) / (float)(modulo - 1) * weight;
		max += weight;
		weight *= 0.7f;
	}
	return 1 - vector / max;
}

/*
 * Removes the module, which is the part before a backtick (module`name), unless the backtick is the
 * first letter.  The other programs do the same with the reversed name: there it is the part after
 * the last backtick.
 */
static struct span without_module(struct span name, bool backwards)
{
	if (backwards) {
		size_t at =
			name.size > 1 ? span_rfind(span_upto(name, name.size - 1), '`') : name.size;

		return at < name.size - (name.size > 0) ? span_upto(name, at) : name;
	}
	if (name.size > 1) {
		size_t at = span_find(span_from(name, 1), '`');

		if (at < name.size - 1)
			return span_from(name, at + 2);
	}
	return name;
}

/* FNV-1a, continued for the second and the third value. */
static void hash_whole(struct span name, float value[3])
{
	const uint64_t prime = 0x100000001b3u;
	uint64_t hash = 0xcbf29ce484222325u;

	for (size_t i = 0; i < name.size; i++)
		hash = (hash ^ (unsigned char)name.at[i]) * prime;
	for (int i = 0; i < 3; i++) {
		value[i] = (float)((double)hash / (double)UINT64_MAX);
		hash *= prime;
	}
}

/* One step of drand48 from the sum of the letters. */
static float letter_sum(struct letters l)
{
	uint64_t x = 0;

	while (l.name.size)
		x += next_letter(&l);
	x = ((x & UINT32_MAX) << 16) + 0x330e;
	x = (x * 0x5deece66d + 0xb) & 0xffffffffffffu;
	return (float)((double)x / 0x1p48);
}

void shade_draw(struct colors *c, struct span name, float value[3])
{
	struct letters forward = { .name = name, .characters = c->rules == NAME_RULES_PERL };
	struct letters backward = forward;

	switch (c->shade) {
	case SHADE_RUNNING:
	case SHADE_RANDOM:
		for (int i = 0; i < 3; i++)
			value[i] = next_running(c);
		break;
	case SHADE_HASH:
		forward.name = without_module(name, false);
		backward.name = without_module(name, true);
		backward.backwards = true;
		value[0] = first_letters(forward);
		value[1] = value[2] = first_letters(backward);
		break;
	case SHADE_NAME:
		hash_whole(name, value);
		break;
	case SHADE_LETTERS:
		value[0] = value[1] = value[2] = letter_sum(forward);
		break;
	}
}
