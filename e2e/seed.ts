/** What is in a profile before the app starts. */
import { openStorage, type Storage } from '../main/storage/storage.ts';

/** Fills the profile's database before the app starts. */
export function seed(profile: string, fill: (storage: Storage) => void): void {
  const storage = openStorage(profile);
  fill(storage);
  storage.close();
}

/** A chat of questions with their answers, as of `now` in milliseconds since 1970. */
export function addChat(
  storage: Storage,
  title: string,
  texts: readonly [question: string, answer: string][],
  now: number,
): void {
  const chat = storage.chats.create({ title }, now);
  let parentId: string | null = null;
  for (const [text, reply] of texts) {
    const { answer } = storage.messages.addExchange({ chatId: chat.id, text, parentId }, now);
    storage.messages.finish(answer.id, { text: reply, state: 'complete' });
    parentId = answer.id;
  }
}
