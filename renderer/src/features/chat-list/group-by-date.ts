/** Sorts chats into the headings of the list. */
import type { Chat } from '../../../../contract/chats.ts';

export type DateGroup = 'today' | 'yesterday' | 'week' | 'month' | 'older';

const DAY = 86_400_000;

/** Groups that have chats, in order; `chats` must be newest first. Days begin at local midnight before `now`. */
export function groupByDate(
  chats: readonly Chat[],
  now: number,
): readonly { readonly group: DateGroup; readonly chats: readonly Chat[] }[] {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const groups = new Map<DateGroup, Chat[]>();
  for (const chat of chats) {
    const group = groupOf(chat.updatedAt, midnight);
    if (groups.get(group)?.push(chat) === undefined) groups.set(group, [chat]);
  }
  return [...groups].map(([group, members]) => ({ group, chats: members }));
}

function groupOf(time: number, midnight: number): DateGroup {
  if (time >= midnight) return 'today';
  if (time >= midnight - DAY) return 'yesterday';
  if (time >= midnight - 7 * DAY) return 'week';
  if (time >= midnight - 30 * DAY) return 'month';
  return 'older';
}
