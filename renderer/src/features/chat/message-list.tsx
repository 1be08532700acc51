/** The conversation: questions and answers, the newest at the end. Only what is near the visible part is drawn. */
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Message } from '../../../../contract/messages.ts';
import { useAppState } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { DownIcon } from '../../ui/icons.tsx';
import { focusComposer } from '../frame/focus.ts';
import { estimateHeight } from '../markdown/chunks.ts';
import { Near, NearContext, useNearWatch } from '../markdown/near.tsx';
import { Announcer } from './announcer.tsx';
import { AssistantMessage } from './assistant-message.tsx';
import { FindBar } from './find/find-bar.tsx';
import type { Match } from './find/matches.ts';
import { useFind } from './find/use-find.ts';
import { useMessageKeys } from './message-keys.ts';
import { useReveal } from './reveal.ts';
import { useStickToBottom } from './stick-to-bottom.ts';
import { UserMessage } from './user-message.tsx';

/** So many messages have a place in the page at first, and so many more each time. Only those near are drawn. */
const PAGE = 400;
/** So many at the end are drawn at once: a chat opens at its end. */
const FIRST_MESSAGES = 4;

export function MessageList({ messages }: { messages: readonly Message[] }) {
  const [pages, setPages] = useState(1);
  const [goal, setGoal] = useState<{ messageId: string }>();
  const lastQuestion = messages.filter((message) => message.role === 'user').at(-1);
  const { scroller, content, away, jump } = useStickToBottom(lastQuestion?.id);
  const watch = useNearWatch(scroller);
  const reveal = useAppState((state) => state.reveal);
  const marked = useReveal(scroller);
  const find = useFind(messages, scroller, content);
  const places = [reveal, find.match?.messageId].map((messageId) => indexOf(messages, messageId));
  const first = Math.max(0, Math.min(messages.length - pages * PAGE, ...places));

  const ids = useMemo(() => messages.slice(first).map(({ id }) => id), [messages, first]);
  useMessageKeys(
    ids,
    useCallback((messageId) => setGoal({ messageId }), []),
  );
  useEffect(() => {
    if (goal === undefined) return;
    const message = content.current?.querySelector<HTMLElement>(
      `[data-message="${CSS.escape(goal.messageId)}"] > article`,
    );
    message?.focus({ preventScroll: true });
    message?.scrollIntoView({ block: 'nearest' });
  }, [goal, content]);

  return (
    <div className="conversation">
      {find.open && (
        <FindBar
          query={find.query}
          at={find.at}
          count={find.count}
          onQuery={find.setQuery}
          onStep={find.step}
          onClose={() => {
            find.close();
            focusComposer();
          }}
        />
      )}
      <div
        ref={scroller}
        className="conversation-scroll"
        role="log"
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        aria-label={strings.messages.label}
      >
        <div ref={content} className="conversation-content">
          {first > 0 && (
            <button type="button" className="link-button" onClick={() => setPages(pages + 1)}>
              {strings.messages.earlier(first)}
            </button>
          )}
          <NearContext value={watch}>
            {messages.slice(first).map((message, index) => (
              <Near
                key={message.id}
                className={`turn is-${message.role}${message.id === marked ? ' is-marked' : ''}`}
                data-message={message.id}
                estimate={() => estimateHeight(message.text)}
                first={first + index >= messages.length - FIRST_MESSAGES}
                hold={
                  message.state === 'streaming' ||
                  message.id === goal?.messageId ||
                  message.id === find.match?.messageId
                }
              >
                <Row
                  message={message}
                  last={first + index === messages.length - 1}
                  match={find.match?.messageId === message.id ? find.match : undefined}
                />
              </Near>
            ))}
          </NearContext>
        </div>
      </div>
      {away && (
        <button type="button" className="jump" onClick={jump}>
          <DownIcon size={16} />
          {strings.messages.jump}
        </button>
      )}
      <Announcer messages={messages} />
    </div>
  );
}

interface RowProps {
  readonly message: Message;
  readonly last: boolean;
  /** The occurrence in it that is looked at. */
  readonly match: Match | undefined;
}

function Row({ message, last, match }: RowProps) {
  const activity = useAppState((state) => state.activities[message.id]);
  if (message.role === 'user') return <UserMessage message={message} unfolded={match !== undefined} />;
  return <AssistantMessage message={message} activity={activity} last={last} held={match?.chunk} />;
}

/** Where a message stands; the end where it is none. */
function indexOf(messages: readonly Message[], messageId: string | null | undefined): number {
  const index = messageId == null ? -1 : messages.findIndex(({ id }) => id === messageId);
  return index < 0 ? messages.length : index;
}
