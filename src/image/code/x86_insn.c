#include "image/code/x86_insn.h"

#include "base/fields.h"

/*
 * What follows an opcode, by map and opcode:
 *
 *	.	nothing
 *	m	modrm, with what it needs of sib and disp
 *	b w W	an immediate of 1, 2, 3 bytes
 *	z	an immediate of 4 bytes, or of 2 with prefix 66
 *	d	an immediate of 4 bytes
 *	q	an immediate as large as the operand
 *	M Z	m, then b or z
 *	t T	m, then b or z if it is test (reg is 0 or 1)
 *	o	an address
 *	p	the opcode is a prefix
 *	e v	it leads to another map; a vector prefix
 *	x	there is no such instruction in 64-bit mode
 */
static const char one[256 + 1] = "mmmmbzxxmmmmbzxe"
				 "mmmmbzxxmmmmbzxx"
				 "mmmmbzpxmmmmbzpx"
				 "mmmmbzpxmmmmbzpx"
				 "xxxxxxxxxxxxxxxx"
				 "................"
				 "xxvmppppzZbM...."
				 "bbbbbbbbbbbbbbbb"
				 "MZxMmmmmmmmmmmmm"
				 "..........x....."
				 "oooo....bz......"
				 "bbbbbbbbqqqqqqqq"
				 "MMw.vvMZW.w..bx."
				 "mmmmxxx.mmmmmmmm"
				 "bbbbbbbbddxb...."
				 "p.pp..tT......mm";
static const char two[256 + 1] = "mmmmx.....x.xm.M"
				 "mmmmmmmmmmmmmmmm"
				 "mmmmxxxxmmmmmmmm"
				 "......x.exexxxxx"
				 "mmmmmmmmmmmmmmmm"
				 "mmmmmmmmmmmmmmmm"
				 "mmmmmmmmmmmmmmmm"
				 "MMMMmmm.mmmmmmmm"
				 "dddddddddddddddd"
				 "mmmmmmmmmmmmmmmm"
				 "...mMmxx...mMmmm"
				 "mmmmmmmmmmMmmmmm"
				 "mmMmMMMm........"
				 "mmmmmmmmmmmmmmmm"
				 "mmmmmmmmmmmmmmmm"
				 "mmmmmmmmmmmmmmmm";

enum { REX_W = 8, PREFIX_WORD = 1, PREFIX_ADDRESS = 2 };

struct decoder {
	struct span bytes;
	size_t at;
	struct x86_insn *insn;
	unsigned prefixes;
	bool sound;
};

static uint8_t take(struct decoder *d)
{
	if (d->at < d->bytes.size)
		return (uint8_t)d->bytes.at[d->at++];
	d->sound = false;
	return 0;
}

static int64_t take_number(struct decoder *d, size_t size)
{
	uint64_t value = 0;
	size_t spare = 64 - 8 * size;

	if (!size)
		return 0;
	for (size_t i = 0; i < size; i++)
		value |= (uint64_t)take(d) << (8 * i);
	return (int64_t)(value << spare) >> spare;
}

static void take_prefixes(struct decoder *d)
{
	while (d->at < d->bytes.size && one[(uint8_t)d->bytes.at[d->at]] == 'p') {
		uint8_t prefix = take(d);

		d->prefixes |= prefix == 0x66 ? PREFIX_WORD : 0;
		d->prefixes |= prefix == 0x67 ? PREFIX_ADDRESS : 0;
	}
	if (d->at < d->bytes.size && ((uint8_t)d->bytes.at[d->at] & 0xf0) == 0x40)
		d->insn->rex = take(d);
}

/* modrm, sib and disp */
static void take_operands(struct decoder *d)
{
	struct x86_insn *i = d->insn;
	unsigned mod, rm;

	i->modrm = take(d);
	mod = i->modrm >> 6;
	rm = i->modrm & 7;
	if (mod == 3)
		return;
	if (rm == 4)
		i->sib = take(d);
	if (mod == 1)
		i->disp = take_number(d, 1);
	else if (mod == 2 || rm == 5 || (rm == 4 && (i->sib & 7) == 5))
		i->disp = take_number(d, 4);
}

static void take_rest(struct decoder *d, char kind)
{
	size_t word = d->prefixes & PREFIX_WORD ? 2 : 4;
	size_t size = 0;

	if (strchr("mMZtT", kind))
		take_operands(d);
	switch (kind) {
	case 'b':
	case 'M':
		size = 1;
		break;
	case 'w':
		size = 2;
		break;
	case 'W':
		size = 3;
		break;
	case 'z':
	case 'Z':
		size = word;
		break;
	case 'd':
		size = 4;
		break;
	case 'q':
		size = d->insn->rex & REX_W ? 8 : word;
		break;
	case 't':
	case 'T':
		if ((d->insn->modrm >> 3 & 7) < 2)
			size = kind == 't' ? 1 : word;
		break;
	case 'o':
		size = d->prefixes & PREFIX_ADDRESS ? 4 : 8;
		break;
	case 'x':
		d->sound = false;
		break;
	default:
		break;
	}
	d->insn->imm = take_number(d, size);
}

/* VEX (c4, c5) and EVEX (62): the prefix has the number of the map. */
static void take_vector(struct decoder *d, uint8_t prefix)
{
	uint8_t first = take(d), map = prefix == 0xc5 ? 1 : first & (prefix == 0x62 ? 7 : 0x1f);

	d->at += prefix == 0x62 ? 2 : prefix == 0xc4;
	d->insn->map = X86_OTHER;
	d->insn->opcode = take(d);
	if (map == 1)
		take_rest(d, d->insn->opcode >> 4 == 8 ? 'm' : two[d->insn->opcode]);
	else
		take_rest(d, map == 3 ? 'M' : 'm');
	d->sound = d->sound && map >= 1 && map <= 6;
}

static void take_0f(struct decoder *d)
{
	uint8_t opcode = take(d);

	d->insn->map = X86_0F;
	d->insn->opcode = opcode;
	if (two[opcode] != 'e') {
		take_rest(d, two[opcode]);
		return;
	}
	d->insn->map = opcode == 0x38 ? X86_0F38 : X86_0F3A;
	d->insn->opcode = take(d);
	take_rest(d, opcode == 0x38 ? 'm' : 'M');
}

bool x86_decode(struct span bytes, struct x86_insn *insn)
{
	struct decoder d = { .bytes = span_upto(bytes, X86_INSN_MAX), .insn = insn, .sound = true };

	*insn = (struct x86_insn){ 0 };
	take_prefixes(&d);
	insn->opcode = take(&d);
	switch (one[insn->opcode]) {
	case 'e':
		take_0f(&d);
		break;
	case 'v':
		take_vector(&d, insn->opcode);
		break;
	default:
		take_rest(&d, one[insn->opcode]);
		break;
	}
	insn->size = (uint8_t)d.at;
	return d.sound && d.at <= d.bytes.size;
}
