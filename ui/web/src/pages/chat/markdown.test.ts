import { describe, expect, it } from 'vitest';
import { blocks, hrefOf, inline, pieces, rangeOf, spanOf } from './markdown.ts';

describe('blocks', () => {
  it('reads what answers are written in', () => {
    expect(blocks('# One\n\ntwo\nthree\n\n---\n')).toEqual([
      { kind: 'heading', level: 1, text: 'One' },
      { kind: 'text', text: 'two\nthree' },
      { kind: 'rule' },
    ]);
    expect(blocks('```go\nfunc A() {}\n\n# no heading\n```\nbehind')).toEqual([
      { kind: 'code', lang: 'go', text: 'func A() {}\n\n# no heading' },
      { kind: 'text', text: 'behind' },
    ]);
    expect(blocks('> a\n> > b')).toEqual([
      {
        kind: 'quote',
        of: [
          { kind: 'text', text: 'a' },
          { kind: 'quote', of: [{ kind: 'text', text: 'b' }] },
        ],
      },
    ]);
    expect(blocks('| a | b |\n|---|:-:|\n| 1 | 2 \\| 3 |\n| 4 |')).toEqual([
      {
        kind: 'table',
        head: ['a', 'b'],
        rows: [
          ['1', '2 | 3'],
          ['4', ''],
        ],
      },
    ]);
  });

  it('nests lists and keeps their numbers', () => {
    expect(blocks('3. a\n   - b\n   - c\n\n4. d\n   still d')).toEqual([
      {
        kind: 'list',
        start: 3,
        items: [
          [
            { kind: 'text', text: 'a' },
            { kind: 'list', start: null, items: [[{ kind: 'text', text: 'b' }], [{ kind: 'text', text: 'c' }]] },
          ],
          [{ kind: 'text', text: 'd\nstill d' }],
        ],
      },
    ]);
  });

  it('takes a fence that is not closed yet for code', () => {
    expect(blocks('```\nhalf')).toEqual([{ kind: 'code', lang: '', text: 'half' }]);
  });

  it('gives up on depth, not on the text', () => {
    expect(JSON.stringify(blocks(`${'> '.repeat(60)}deep`))).toContain('deep');
    expect(JSON.stringify(blocks(`${'- '.repeat(60)}deep`))).toContain('deep');
  });
});

describe('pieces', () => {
  const long = '# A\n\ntext\n\n```\na\n\nb\n```\n\n- x\n\n- y\n\nend';
  it('cuts between blocks, never inside one', () => {
    expect(pieces(long)).toEqual(['# A', 'text', '```\na\n\nb\n```', '- x\n\n- y', 'end']);
    expect(pieces('\n\n')).toEqual([]);
  });
  it('leaves what is finished as it is while the text grows', () => {
    let before: string[] = [];
    for (let n = 0; n <= long.length; n++) {
      const now = pieces(long.slice(0, n));
      for (const [i, p] of before.slice(0, -2).entries()) expect(now[i]).toBe(p);
      before = now;
    }
    expect(blocks(pieces(long).join('\n\n'))).toEqual(blocks(long));
  });
});

describe('inline', () => {
  it('reads emphasis, code and links', () => {
    expect(inline('a **b *c* d** `e*f*` ~~g~~')).toEqual([
      'a ',
      { kind: 'strong', of: ['b ', { kind: 'em', of: ['c'] }, ' d'] },
      ' ',
      { kind: 'code', text: 'e*f*' },
      ' ',
      { kind: 'del', of: ['g'] },
    ]);
    expect(inline('[x](https://a.example/b "t") ![y](https://a.example/p.png)')).toEqual([
      { kind: 'link', href: 'https://a.example/b', of: ['x'] },
      ' ',
      { kind: 'link', href: 'https://a.example/p.png', of: ['y'] }, // nothing is loaded from elsewhere
    ]);
    expect(inline('see https://a.example/b?c=d.')).toEqual([
      'see ',
      { kind: 'link', href: 'https://a.example/b?c=d', of: ['https://a.example/b?c=d'] },
      '.',
    ]);
  });

  it('leaves words alone that only look like it', () => {
    for (const text of ['snake_case_name', '2 * 3 * 4', 'a ** b', '**open', '`open', 'x[0](y', '5 * *'])
      expect(inline(text)).toEqual([text]);
    expect(inline('\\*not\\*')).toEqual(['*not*']);
  });

  it('makes passages and talks of what refers to them', () => {
    expect(inline('stage/curtain.go#L6-L8')).toEqual([{ kind: 'lines', path: 'stage/curtain.go', span: 'L6-L8' }]);
    expect(inline('See `a-b/c_d.ts#L3`, and Makefile#L1-9!')).toEqual([
      'See ',
      { kind: 'lines', path: 'a-b/c_d.ts', span: 'L3' },
      ', and ',
      { kind: 'lines', path: 'Makefile', span: 'L1-L9' },
      '!',
    ]);
    expect(inline('[here](README.md#L2)')).toEqual([{ kind: 'lines', path: 'README.md', span: 'L2' }]);
    expect(inline('as in chat:0199a0b1-0000-7000-8000-000000000001.')).toEqual([
      'as in ',
      { kind: 'talk', id: '0199a0b1-0000-7000-8000-000000000001' },
      '.',
    ]);
  });

  it('leads nowhere but to pages and mail', () => {
    for (const to of [
      'javascript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      ' javascript:x',
      '//evil.example',
      'file:///etc/passwd',
      '/login',
    ])
      expect(hrefOf(to)).toBeNull();
    expect(inline('[x](javascript:alert(1))')).not.toContainEqual(expect.objectContaining({ kind: 'link' }));
    expect(inline('[x](data:text/html,y)')).toEqual(['x']);
    expect(hrefOf('mailto:a@b.example')).toBe('mailto:a@b.example');
  });

  it('loses no letter, and stays quick, whatever it reads', () => {
    const flat = (of: ReturnType<typeof inline>): string =>
      of
        .map((x) =>
          typeof x === 'string'
            ? x
            : 'of' in x
              ? flat(x.of)
              : 'text' in x
                ? x.text
                : x.kind === 'lines'
                  ? `${x.path}#${x.span}`
                  : `chat:${x.id}`,
        )
        .join('');
    for (const hostile of [
      '*',
      '_',
      '`',
      '[',
      '](',
      '**a',
      '~~',
      '\\',
      'a/',
      'a.',
      '#L1',
      'chat:',
      '<script>',
      '*a `b [c](',
    ]) {
      const text = hostile.repeat(2_000).slice(0, 19_000);
      const seen = flat(inline(text)).replaceAll(/[*_`~[\]()\\]/g, '');
      expect(seen).toBe(text.replaceAll(/[*_`~[\]()\\]/g, ''));
    }
    expect(inline('**x**'.repeat(10_000))).toHaveLength(1);
  });
});

it('reads and writes spans', () => {
  expect(['L3', 'L3-L3', '3-9', 'L10-L42', 'x'].map(spanOf)).toEqual(['L3', 'L3', 'L3-L9', 'L10-L42', '']);
  expect(['L3', 'L10-L42', 'L9-L2', 'no'].map(rangeOf)).toEqual([[3, 3], [10, 42], [9, 9], null]);
});
