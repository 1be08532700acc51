/** Field schemas that several contracts share. */
import * as v from 'valibot';

export const id = v.pipe(v.string(), v.minLength(1), v.maxLength(64));
/** Milliseconds since 1970, UTC. */
export const time = v.number();
/** How many of something. */
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));
/** The request or response of a channel that has none. */
export const nothing = v.undefined();
