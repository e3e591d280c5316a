#include "image/dwarf/line_table.h"

#include <dwarf.h>

bool line_table_parse(struct line_table *t, const struct debug_bytes *d, uint64_t offset)
{
	struct span section = d->section[DEBUG_LINE];
	struct dwarf_format *f = &t->format;
	struct bytes b, table, head;

	*t = (struct line_table){ .format = { .order = d->order } };
	if (offset >= section.size)
		return false;
	b = bytes_over(span_from(section, (size_t)offset));
	table = dwarf_sized(&b, f);
	f->version = (uint8_t)dwarf_number(&table, 2, f->order);
	if (table.failed || f->version < 2 || f->version > 5)
		return false;
	if (f->version == 5) {
		f->address_size = bytes_u8(&table);
		(void)bytes_u8(&table); /* segment_selector_size */
	}
	head = bytes_over(bytes_take(&table, dwarf_number(&table, f->offset_size, f->order)));
	t->step = bytes_u8(&head);
	if (f->version >= 4)
		(void)bytes_u8(&head); /* maximum_operations_per_instruction: 1, except for VLIW */
	(void)bytes_u8(&head);	       /* default_is_stmt */
	t->line_base = (int8_t)bytes_u8(&head);
	t->line_range = bytes_u8(&head);
	t->opcode_base = bytes_u8(&head);
	t->operands = head.at;
	(void)bytes_take(&head, t->opcode_base ? t->opcode_base - 1u : 0);
	t->names = head;
	t->program = table;
	return !table.failed && !head.failed && t->line_range && t->opcode_base;
}

/* The program */

struct machine {
	const struct line_table *t;
	line_sink *sink;
	void *arg;
	struct bytes in;
	uint64_t address, file, line;
};

static void reset(struct machine *m)
{
	m->address = 0;
	m->file = 1;
	m->line = 1;
}

static void run_extended(struct machine *m)
{
	struct bytes b = bytes_over(bytes_take(&m->in, bytes_varint(&m->in)));

	switch (bytes_u8(&b)) {
	case DW_LNE_end_sequence:
		m->sink(m->arg, m->address, LINE_NO_FILE, 0);
		reset(m);
		break;
	case DW_LNE_set_address:
		if (bytes_left(&b) <= sizeof(m->address))
			m->address = dwarf_number(&b, bytes_left(&b), m->t->format.order);
		break;
	default: /* discriminators, and vendor extensions */
		break;
	}
}

static void advance(struct machine *m, unsigned by)
{
	m->address += (uint64_t)m->t->step * (by / m->t->line_range);
}

static void run_standard(struct machine *m, uint8_t opcode)
{
	switch (opcode) {
	case DW_LNS_copy:
		m->sink(m->arg, m->address, m->file, m->line);
		return;
	case DW_LNS_advance_pc:
		m->address += m->t->step * bytes_varint(&m->in);
		return;
	case DW_LNS_advance_line:
		m->line += (uint64_t)dwarf_signed(&m->in);
		return;
	case DW_LNS_set_file:
		m->file = bytes_varint(&m->in);
		return;
	case DW_LNS_const_add_pc:
		advance(m, 255u - m->t->opcode_base);
		return;
	case DW_LNS_fixed_advance_pc:
		m->address += dwarf_number(&m->in, 2, m->t->format.order);
		return;
	default:
		for (unsigned i = m->t->operands[opcode - 1]; i && !m->in.failed; i--)
			(void)bytes_varint(&m->in);
		return;
	}
}

bool line_table_run(const struct line_table *t, line_sink *sink, void *arg)
{
	struct machine m = { .t = t, .sink = sink, .arg = arg, .in = t->program };

	reset(&m);
	while (bytes_left(&m.in)) {
		uint8_t opcode = bytes_u8(&m.in);

		if (opcode >= t->opcode_base) {
			unsigned by = (unsigned)opcode - t->opcode_base;

			advance(&m, by);
			m.line += (uint64_t)(t->line_base + (int64_t)(by % t->line_range));
			sink(arg, m.address, m.file, m.line);
		} else if (opcode) {
			run_standard(&m, opcode);
		} else {
			run_extended(&m);
		}
	}
	return !m.in.failed;
}
