import { describe, expect, it } from 'vitest';
import type { ChatTurn } from '../../../contract/engine.ts';
import { ChatTemplate } from './chat-template.ts';
import { createTokenizer } from './create-tokenizer.ts';
import { bpeSource } from './testdata/bpe-source.ts';

const TURNS: ChatTurn[] = [
  { role: 'system', content: ' be brief ' },
  { role: 'user', content: 'one two  three' },
  { role: 'assistant', content: 'ok' },
];
const render = (template: string, turns = TURNS) =>
  new ChatTemplate(template, { bos: '<s>', eos: '</s>', unknown: '', padding: '' }).render(turns);

// Expected texts are those of jinja2 3.1.6 set up like transformers.
describe('chat templates (HAND-18)', () => {
  it.each([
    [
      "{% for m in messages[::-1] %}{{ m['role'] }}:{{ m.content }};{% endfor %}",
      'assistant:ok;user:one two  three;system: be brief ;',
    ],
    ["{{ messages[0].content.split(' ')[0] }}|{{ messages[0]['content'].strip() }}|", '|be brief|'],
    ["{{ messages[1].content.split(' ')[0] }}", 'one'],
    [
      "{% for m in messages %}{% if m.role == 'user' %}{% break %}{% endif %}{{ m.content }}{% endfor %}!",
      ' be brief !',
    ],
    [
      "{% for m in messages %}{% if m.role == 'user' %}{% continue %}{% endif %}{{ m.content }}{% endfor %}!",
      ' be brief ok!',
    ],
    [
      '{% set ns = namespace(n=0) %}{% for m in messages %}{% set ns.n = ns.n + m.content|length %}{% endfor %}{{ ns.n }}',
      '26',
    ],
    ['  {% if true %}\n  a\n  {% endif %}\nb {%- if true %} c{% endif -%}\n d\n', '  a\nb cd'],
    [
      "{{ bos_token }}{% for m in messages %}\n    {%- if loop.first %}[{% endif %}\n    {{- m.role | upper ~ ':' ~ m.content | trim }}\n{% endfor %}]{% if add_generation_prompt %}>{% endif %}\n",
      '<s>[SYSTEM:be brief\nUSER:one two  three\nASSISTANT:ok\n]>',
    ],
    [
      "{% macro say(x) %}<{{ x }}>{% endmacro %}{{ say(messages[-1].content) }}{{ messages | selectattr('role','equalto','system') | map(attribute='content') | join(',') }}",
      '<ok> be brief ',
    ],
    ['{{ messages[1] | tojson }}{% if tools is none %}-{% endif %}', '{"role": "user", "content": "one two  three"}-'],
  ])('%j', (template, expected) => {
    expect(render(template)).toBe(expected);
  });

  it('knows today', () => {
    expect(render("{{ strftime_now('%Y') }}")).toMatch(/^\d{4}$/);
  });

  it('hands on the words of raise_exception', () => {
    expect(() => render("{{ raise_exception('roles must alternate') }}")).toThrow(
      expect.objectContaining({ kind: 'template-refused', message: expect.stringContaining('roles must alternate') }),
    );
  });

  it('names a template that cannot be parsed, and a missing one, instead of guessing', () => {
    expect(() => render('{% for %}')).toThrow(expect.objectContaining({ kind: 'template-refused' }));
    const tokenizer = createTokenizer(bpeSource({}));
    for (const call of [() => tokenizer.render(TURNS), () => tokenizer.encodeChat(TURNS)]) {
      expect(call).toThrow(
        expect.objectContaining({ kind: 'template-refused', action: expect.stringContaining('raw') }),
      );
    }
  });
});
