const one = new Intl.PluralRules('en');

/** count says in English how many there are. */
export const count = (n: number, singular: string, plural: string): string =>
  `${n} ${one.select(n) === 'one' ? singular : plural}`;
