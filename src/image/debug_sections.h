/*
 * The sections of DWARF in a file, made ready for libdw: those that are packed
 * are unpacked (libdw would take twice as long, and knows no zstd), and those
 * that say nothing about functions and lines are hidden, so that nobody does.
 */
#ifndef WICK_IMAGE_DEBUG_SECTIONS_H
#define WICK_IMAGE_DEBUG_SECTIONS_H

#include <libelf.h>
#include <stddef.h>

/* What was unpacked: the file uses it until its end. */
struct unpacked {
	char **bytes;
	size_t nr, cap;
};

void debug_sections_unpack(Elf *elf, struct unpacked *u);
void unpacked_release(struct unpacked *u);

#endif
