/** The conversation: questions and answers, the newest at the end. */
import { useState } from 'react';
import type { Message } from '../../../../contract/messages.ts';
import { useAppState } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { DownIcon } from '../../ui/icons.tsx';
import { estimateHeight } from '../markdown/chunks.ts';
import { Near, NearContext, useNearWatch } from '../markdown/near.tsx';
import { Announcer } from './announcer.tsx';
import { AssistantMessage } from './assistant-message.tsx';
import { useReveal } from './reveal.ts';
import { useStickToBottom } from './stick-to-bottom.ts';
import { UserMessage } from './user-message.tsx';

/** So many messages have a place in the page at first, and so many more each time. Only those near are drawn. */
const PAGE = 400;
/** So many at the end are drawn at once: a chat opens at its end. */
const FIRST_MESSAGES = 4;

export function MessageList({ messages }: { messages: readonly Message[] }) {
  const [pages, setPages] = useState(1);
  const reveal = useAppState((state) => state.reveal);
  const wanted = messages.findIndex(({ id }) => id === reveal);
  const paged = Math.max(0, messages.length - pages * PAGE);
  const first = wanted < 0 ? paged : Math.min(paged, wanted);
  const lastQuestion = messages.filter((message) => message.role === 'user').at(-1);
  const { scroller, content, away, jump } = useStickToBottom(lastQuestion?.id);
  const watch = useNearWatch(scroller);
  const marked = useReveal(scroller);
  return (
    <div className="conversation">
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
                hold={message.state === 'streaming'}
              >
                <Row message={message} question={questionOf(messages, first + index)} />
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

function Row({ message, question }: { message: Message; question: string | undefined }) {
  const activity = useAppState((state) => state.activities[message.id]);
  if (message.role === 'user') return <UserMessage message={message} />;
  return <AssistantMessage message={message} activity={activity} question={question} />;
}

/** The question before the last answer; earlier ones cannot be asked again from where they stand. */
function questionOf(messages: readonly Message[], index: number): string | undefined {
  if (index !== messages.length - 1) return undefined;
  const before = messages[index - 1];
  return before?.role === 'user' ? before.text : undefined;
}
