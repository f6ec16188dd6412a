const most = 40;

/** deriveTitle makes a title of the first line that says anything. */
export function deriveTitle(said: string): string {
  for (const raw of said.split('\n')) {
    const line = raw.trim().replaceAll(/\s+/g, ' ');
    if (line === '') continue;
    const letters = [...line];
    return letters.length > most
      ? `${letters
          .slice(0, most - 1)
          .join('')
          .trim()}…`
      : line;
  }
  return '';
}
