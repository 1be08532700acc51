/** What one document may take. A limit that cuts is told as a problem; one that protects the machine is an error. */

/** Characters of a part, where a format knows no pages: about a thousand tokens. */
export const PART_CHARACTERS = 4000;
/** Characters of one page; the rest of a longer one is left out and said to be 'cut'. */
export const MOST_PAGE_TEXT = 1_000_000;
/** Characters of a document, five times a large encyclopaedia volume. */
export const MOST_CHARACTERS = 50_000_000;
export const MOST_PAGES = 50_000;
export const MOST_HEADINGS = 20_000;

/** Bytes of a plain text file, which is decoded as a whole. */
export const MOST_TEXT_BYTES = 64 * 2 ** 20;
/** Elements within each other; browsers flatten what is deeper than a few hundred. */
export const MOST_DEPTH = 3000;

/** Entries of a zip archive. */
export const MOST_ENTRIES = 20_000;
/** Bytes that one part of an archive, and all that are read, may unpack to. */
export const MOST_PART_BYTES = 200 * 2 ** 20;
export const MOST_UNPACKED_BYTES = 400 * 2 ** 20;
/** Large parts packed tighter than this are bombs: XML of documents packs 10 to 50 times. */
export const MOST_RATIO = 150;
export const RATIO_FROM_BYTES = 16 * 2 ** 20;

/** Old generation of the thread that parses, and resident memory of its process, in MiB. */
export const MOST_HEAP_MIB = 512;
export const MOST_RESIDENT_MIB = 900;
