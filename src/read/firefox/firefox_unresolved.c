/*
 * Unresolved addresses in libraries, as samply and Firefox write them.  They are
 * relative to the start of the library in memory, but wick's are offsets in the
 * file: the conversion needs the program headers of the file, so frames are
 * symbolized only if the file exists here and has the recorded build ID.
 */
#include "base/alloc.h"
#include "read/firefox/firefox.h"
#include "read/perf_script/script_frame.h"

static void look(struct build *b, struct firefox_lib *lib)
{
	struct image_piece piece[IMAGE_PIECES_MAX];

	lib->looked = true;
	if (!b->o->image || !lib->build_id.size)
		return;
	lib->nr_piece = image_pieces(lib->path, lib->build_id, b->o->image, piece);
	lib->piece = xmemdup(piece, lib->nr_piece * sizeof(*piece));
}

static bool find_offset(const struct firefox_lib *lib, uint64_t address, uint64_t *offset)
{
	for (size_t i = 0; i < lib->nr_piece; i++) {
		const struct image_piece *piece = &lib->piece[i];

		if (address - piece->distance < piece->size) {
			*offset = address - piece->distance + piece->offset;
			return true;
		}
	}
	return false;
}

frame_id firefox_unresolved(struct build *b, struct firefox_lib *lib, uint64_t address,
			    unsigned flags)
{
	struct frame f = { .kind = FRAME_USER, .flags = flags, .address = address };

	if (!lib || !lib->path.size)
		return profile_frame(b->p, &f);
	f.kind = script_frame_kind(lib->path);
	f.module = profile_module(b->p, lib->path, lib->build_id);
	if (!lib->looked)
		look(b, lib);
	if (find_offset(lib, address, &f.address))
		f.flags |= FRAME_IN_MODULE;
	else if (b->o->image)
		notes_add(&b->p->notes, NOTE_NO_LIBRARY, 1, 0, lib->path);
	return profile_frame(b->p, &f);
}
