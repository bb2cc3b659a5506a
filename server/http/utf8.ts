/** Rejects invalid text before any schema reads it. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Null: not UTF-8. Node would replace invalid bytes by U+FFFD, and store that. */
export function readUtf8(body: string | Buffer): string | null {
  if (typeof body === 'string') return body;
  try {
    return decoder.decode(body);
  } catch {
    return null;
  }
}

/** U+FFFE, U+FFFF and their like are for programs' own use; half a pair is in no text. */
const noCharacter = /\p{Noncharacter_Code_Point}|\p{Surrogate}/u;

/** Does a text or a name in this JSON contain invalid characters? JSON can escape them. */
export function hasNoCharacters(value: unknown): boolean {
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === 'string' && noCharacter.test(next)) return true;
    if (typeof next !== 'object' || next === null) continue;
    for (const [name, inner] of Object.entries(next)) {
      if (noCharacter.test(name)) return true;
      left.push(inner);
    }
  }
  return false;
}
