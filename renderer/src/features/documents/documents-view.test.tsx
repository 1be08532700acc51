// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { Summary } from '../../../../contract/summaries.ts';
import { FakeMain, makeChat } from '../../testing/fake-main.ts';
import { openWindow } from '../../testing/open-window.tsx';

afterEach(cleanup);

const click = (element: HTMLElement) => act(async () => void fireEvent.click(element));

/** The documents screen with one dropped file opened. */
async function withDocument(main = new FakeMain()) {
  const opened = await openWindow(main);
  await click(screen.getByRole('button', { name: 'Documents' }));
  await act(async () => {
    fireEvent.drop(screen.getByTestId('document-drop'), {
      dataTransfer: { types: ['Files'], files: [new File(['x'], 'Towns.pdf')] },
    });
  });
  await opened.settle();
  return { main, ...opened };
}

function lastSummary(main: FakeMain, change: Partial<Summary>): Summary {
  const request = main.asked.filter(({ channel }) => channel === 'summaries.start').at(-1)?.request;
  const { documentId, options } = request as Pick<Summary, 'documentId' | 'options'>;
  return {
    id: 'summary-2',
    documentId,
    documentName: 'Towns.pdf',
    options,
    plan: main.plan,
    state: 'running',
    sections: [],
    text: '',
    points: [],
    coverage: { tokensRead: 0, tokensTotal: 500, pagesWithoutText: [], failedSections: [] },
    model: 'TestModel',
    prompts: 1,
    createdAt: 1,
    seconds: 3,
    ...change,
  };
}

describe('documents', () => {
  it('teach what they are for where there are none', async () => {
    await openWindow(new FakeMain());
    await click(screen.getByRole('button', { name: 'Documents' }));
    expect(screen.getByText('Whole documents, not snippets')).toBeDefined();
  });

  it('that are dropped are opened, with a plan before anything runs', async () => {
    const { main, settle } = await withDocument();
    expect(main.asked).toContainEqual({ channel: 'documents.drop', request: { paths: ['Towns.pdf'] } });
    expect(screen.getByTestId('document-item').textContent).toContain('Towns.pdf');
    await act(() => new Promise<void>((resolve) => setTimeout(resolve, 350)));
    await settle();
    expect(screen.getByTestId('summary-plan').textContent).toContain('500 tokens, read at once.');
    expect(main.asked.some(({ channel }) => channel === 'summaries.start')).toBe(false);
  });

  it('grow their summary, and each point leads to its page', async () => {
    const { main, settle } = await withDocument();
    await act(() => new Promise<void>((resolve) => setTimeout(resolve, 350)));
    await click(screen.getByTestId('summary-start'));
    await settle();
    const running = [
      {
        ...(main.plan.sections[0] ?? { title: '', pages: [1, 2], tokens: 500 }),
        state: 'running',
        text: '',
        points: [],
      },
    ];
    main.emit({ type: 'summary', summary: lastSummary(main, { sections: running as unknown as Summary['sections'] }) });
    main.emit({ type: 'summary-progress', summaryId: 'summary-2', section: 0, offset: 0, delta: '- Town' });
    main.emit({ type: 'summary-progress', summaryId: 'summary-2', section: 0, offset: 6, delta: '1 is old' });
    await settle();
    expect(screen.getByTestId('summary-section').textContent).toContain('- Town1 is old');
    const documentId = main.documents[0]?.id ?? '';
    const text = '- Town1 is old.';
    const citation = { documentId, page: 2, range: [0, 5], score: 1 } as const;
    const points = [{ text: 'Town1 is old.', citations: [{ ...citation, range: [0, 5] as [number, number] }] }];
    main.pages = [
      { number: 1, text: 'Nothing.' },
      { number: 2, text: 'Town1 is old and small.' },
    ];
    const coverage = { tokensRead: 500, tokensTotal: 500, pagesWithoutText: [], failedSections: [] };
    main.emit({ type: 'summary', summary: lastSummary(main, { state: 'complete', text, points, coverage }) });
    await settle();
    expect(screen.getByTestId('summary-coverage').textContent).toContain('Read 100');
    const seen: (string | null)[] = [];
    Element.prototype.scrollIntoView = function (this: Element) {
      seen.push(this.textContent);
    };
    await click(screen.getByTestId('citation'));
    await settle();
    expect(screen.getByTestId('cited-place').textContent).toBe('Town1');
    expect(seen).toEqual(['Town1']);
    // Pages that are added while somebody reads on do not lead back to the place.
    const [document] = main.documents;
    if (document !== undefined) main.emit({ type: 'document', document: { ...document, pageCount: 40 } });
    await settle();
    await click(screen.getByRole('button', { name: 'Show more pages' }));
    await settle();
    expect(seen).toEqual(['Town1']);
    main.pages = [{ number: 30, text: 'The thirtieth page.' }];
    fireEvent.change(screen.getByLabelText('Go to a page, 1 to 40'), { target: { value: '30' } });
    fireEvent.submit(screen.getByLabelText('Go to a page, 1 to 40'));
    await settle();
    expect(screen.getByText('The thirtieth page.')).toBeDefined();
  });

  it('lead to places in other documents, too', async () => {
    const { main, settle } = await withDocument();
    const [first] = main.documents;
    if (first === undefined) throw new Error('no document');
    main.emit({ type: 'document', document: { ...first, id: 'other', name: 'Other.pdf' } });
    main.pages = [{ number: 1, text: 'In the other document.' }];
    const citation = { documentId: 'other', page: 1, range: [3, 6] as [number, number], score: 1 };
    main.emit({
      type: 'document-answer',
      answer: {
        id: 'a',
        documentIds: [first.id, 'other'],
        question: 'Where?',
        text: 'There.',
        points: [{ text: 'There.', citations: [citation] }],
        state: 'complete',
        read: { sections: 1, of: 1 },
        prompts: 1,
        createdAt: 1,
      },
    });
    await settle();
    await click(screen.getByTestId('citation'));
    await settle();
    expect(screen.getByRole('heading', { name: 'Other.pdf' })).toBeDefined();
    expect(screen.getByTestId('cited-place').textContent).toBe('the');
  });

  it('name places as their format does, and lines of printed pages that were only full are one', async () => {
    const { main, settle } = await withDocument();
    const [document] = main.documents;
    if (document === undefined) throw new Error('no document');
    const full = 'A line that is full because the page was not wider';
    const text = `${full}\nends here.\nShort line\n这一行文字已经写满了所以要换行而没有结束这一行文字已经写满了所以要换\n到下一行。`;
    main.pages = [{ number: 1, text, lines: [1, 5] }];
    const cite = (label: string | undefined, range: [number, number]) => ({
      documentId: document.id,
      page: 1,
      ...(label === undefined ? {} : { label }),
      range,
      score: 1,
    });
    const at = text.indexOf('ends here');
    const answer = (citations: ReturnType<typeof cite>[]) =>
      main.emit({
        type: 'document-answer',
        answer: {
          id: 'a',
          documentIds: [document.id],
          question: 'Where?',
          text: 'It ends here.',
          points: [{ text: 'It ends here.', citations }],
          state: 'complete',
          read: { sections: 1, of: 1 },
          prompts: 1,
          createdAt: 1,
        },
      });
    const cited = () => screen.getAllByTestId('citation').map((button) => button.textContent);
    main.emit({ type: 'document', document: { ...document, unit: 'slide', format: 'pptx' } });
    answer([cite(undefined, [0, 1]), cite(undefined, [2, 3])]);
    await settle();
    expect(cited()).toEqual(['slide 1']);
    main.emit({ type: 'document', document: { ...document, unit: 'part', format: 'csv' } });
    answer([cite('L2', [at, at + 9]), cite('L4-5', [0, 1])]);
    await settle();
    expect(cited()).toEqual(['line 2', 'lines 4–5']);
    main.emit({ type: 'document', document: { ...document, unit: 'page', format: 'pdf' } });
    await settle();
    await click(screen.getAllByTestId('citation')[0] as HTMLElement);
    await settle();
    expect(screen.getByTestId('cited-place').textContent).toBe('ends here');
    expect(screen.getByTestId('cited-place').closest('p')?.textContent).toBe(
      text.replace(`${full}\n`, `${full} `).replace('要换\n到', '要换\u200b到'),
    );
  });

  it('that another program had the app open are shown, over what was open last', async () => {
    const main = new FakeMain();
    main.chats = [makeChat('c', 'A chat', 1)];
    main.documents = [{ id: 'd1', name: 'Sent.pdf', bytes: 1, addedAt: 1, state: 'waiting' }];
    const opened = await openWindow(main, 'c', () =>
      main.emit({ type: 'opened', view: 'documents', documentId: 'd1' }),
    );
    await opened.settle();
    expect(screen.getByRole('heading', { name: 'Sent.pdf' })).toBeDefined();
    expect(opened.store.get().activeChatId).toBe('c');
    main.emit({ type: 'opened', view: 'models', error: { kind: 'model-invalid', message: 'It is cut short.' } });
    await opened.settle();
    expect(screen.getByRole('heading', { name: 'Models' })).toBeDefined();
    expect(screen.getByText('It is cut short.')).toBeDefined();
  });

  it('of a folder say what was left out and why, until that was seen', async () => {
    const { main, settle } = await withDocument();
    main.emit({
      type: 'folder-added',
      added: 1,
      leftOut: [
        { reason: 'unreadable', count: 1, names: ['box/closed'] },
        { reason: 'limit', count: 1, names: ['box/z.txt'] },
        { reason: 'not-a-document', count: 12, names: ['box/a.png', 'box/b.png'] },
      ],
    });
    await settle();
    const lines = [...screen.getByTestId('left-out').querySelectorAll('summary, li')].map((line) => line.textContent);
    expect(lines).toEqual([
      'One document was added; some of the folder was left out',
      'One file or folder that may not be read: box/closed',
      'More files than can be added at once; left out from here on: box/z.txt',
      '12 files of a kind that cannot be read: box/a.png, box/b.png and 10 more',
    ]);
    await click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByTestId('left-out')).toBeNull();
    main.emit({ type: 'folder-added', added: 1, leftOut: [] });
    await settle();
    expect(screen.queryByTestId('left-out')).toBeNull();
  });

  it('are thousands with only those in sight in the page; others to ask are found by name', async () => {
    const main = new FakeMain();
    main.documents = Array.from({ length: 2000 }, (_, i) => ({
      id: `d${i}`,
      name: `Report ${i}.pdf`,
      bytes: 1,
      addedAt: 2000 - i,
      state: 'ready' as const,
      unit: 'page' as const,
      pageCount: 1,
    }));
    const { settle } = await openWindow(main);
    await click(screen.getByRole('button', { name: 'Documents' }));
    await settle();
    const items = screen.getAllByTestId('document-item');
    expect(items.length).toBeGreaterThan(5);
    expect(items.length).toBeLessThan(100);
    expect(items[0]?.textContent).toContain('Report 0.pdf1 page · ');
    await click(screen.getByRole('button', { name: /^Report 0.pdf/ }));
    await settle();
    expect(screen.getAllByRole('checkbox', { name: /^Report/ })).toHaveLength(20);
    fireEvent.change(screen.getByLabelText('Find a document'), { target: { value: 'report 1777' } });
    await click(screen.getByRole('checkbox', { name: 'Report 1777.pdf' }));
    fireEvent.change(screen.getByTestId('document-question'), { target: { value: 'Who?' } });
    await click(screen.getByRole('button', { name: 'Ask' }));
    expect(main.asked).toContainEqual({
      channel: 'documents.ask',
      request: { documentIds: ['d0', 'd1777'], question: 'Who?' },
    });
  });

  it('that need a password ask for it', async () => {
    const { main, settle } = await withDocument();
    const [document] = main.documents;
    if (document === undefined) throw new Error('no document');
    const error = { kind: 'password-needed', message: 'It is encrypted.' } as const;
    main.emit({ type: 'document', document: { ...document, state: 'failed', error } });
    await settle();
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'sesam' } });
    await click(screen.getByRole('button', { name: 'Open' }));
    expect(main.asked).toContainEqual({
      channel: 'documents.read',
      request: { documentId: document.id, password: 'sesam' },
    });
  });

  it('say page by page what could not be read', async () => {
    const { main, settle } = await withDocument();
    const [document] = main.documents;
    if (document === undefined) throw new Error('no document');
    const pageProblems = [1, 4].map((page) => ({ page, problem: 'scanned' as const }));
    main.emit({ type: 'document', document: { ...document, pageProblems, file: 'changed' } });
    await settle();
    expect(screen.getByTestId('document-problems').textContent).toBe('Pages 1, 4: a picture without text.');
    expect(screen.getByText('The file has changed since it was read.')).toBeDefined();
  });

  it('offer to recognise scanned pages: data with its size, progress, a failure, then the start', async () => {
    const { main, settle } = await withDocument();
    const [document] = main.documents;
    if (document === undefined) throw new Error('no document');
    const pageProblems = [{ page: 2, problem: 'scanned' as const }];
    main.emit({ type: 'document', document: { ...document, pageProblems } });
    await settle();
    await settle();
    const start = () => screen.getByRole('button', { name: 'Recognise the text of 1 page' }) as HTMLButtonElement;
    expect(start().disabled).toBe(true);
    await click(screen.getByRole('button', { name: /^Download English for text recognition, 3\.0\sMB$/ }));
    expect(main.asked).toContainEqual({ channel: 'ocr.fetch', request: { language: 'eng' } });
    const eng = { language: 'eng', bytes: 3_000_000 } as const;
    main.emit({ type: 'ocr-data', data: { ...eng, state: 'fetching', share: 0.5 } });
    await settle();
    expect(screen.getByRole('progressbar', { name: 'Downloading English' }).getAttribute('aria-valuenow')).toBe('50');
    await click(screen.getByRole('button', { name: 'Stop' }));
    expect(main.asked).toContainEqual({ channel: 'ocr.stop', request: { language: 'eng' } });
    const error = { kind: 'download-failed', message: 'This computer seems to be offline.' } as const;
    main.emit({ type: 'ocr-data', data: { ...eng, state: 'absent', error } });
    await settle();
    expect(screen.getByText('This computer seems to be offline.')).toBeDefined();
    main.emit({ type: 'ocr-data', data: { ...eng, state: 'here' } });
    main.emit({ type: 'ocr-data', data: { language: 'chi_sim', bytes: 1, state: 'here' } });
    await settle();
    fireEvent.click(screen.getByLabelText('Simplified Chinese'));
    await click(start());
    expect(main.asked).toContainEqual({
      channel: 'documents.read',
      request: { documentId: document.id, recognise: ['eng'] },
    });
    main.emit({ type: 'document', document: { ...document, state: 'ready', pageProblems: [], recognisedPages: [2] } });
    await settle();
    expect(screen.getByTestId('document-problems').textContent).toContain('Page 2: text recognised in a picture');
    expect(screen.queryByTestId('scanned-offer')).toBeNull();
  });
});
