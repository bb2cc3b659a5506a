import css from './words.module.css';

/** Without the sentence's punctuation behind it. */
const links = /(\b(?:https?:\/\/|geo:|tel:)[^\s<>"]*[^\s<>".,;:!?)\]])/i;

/** A note as a person wrote it: in the direction of its script, and its links can be tapped. */
export function Words({ text }: { text: string }) {
  return (
    <bdi>
      {text.split(links).map((part, at) =>
        at % 2 === 0 ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text, in its order.
          <a key={at} className={css.link} href={part} target="_blank" rel="noopener noreferrer">
            {part}
          </a>
        ),
      )}
    </bdi>
  );
}
