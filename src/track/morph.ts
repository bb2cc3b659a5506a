/**
 * Makes an element like another by changing only what differs, so that focus, selection, scroll and
 * loaded pictures stay.
 */

function morphAttributes(element: Element, fresh: Element): void {
  for (const { name } of [...element.attributes]) {
    if (!fresh.hasAttribute(name)) element.removeAttribute(name);
  }
  for (const { name, value } of [...fresh.attributes]) {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  }
}

/** Those with an id are found where they are now; others only where they are expected. */
function knownOf(node: Node, next: ChildNode | null): ChildNode | null {
  let known = next;
  if (node instanceof Element && node.id !== '') {
    while (known && !(known instanceof Element && known.id === node.id)) known = known.nextSibling;
  } else if (known instanceof Element && known.id !== '') return null;
  return known?.nodeName === node.nodeName ? known : null;
}

export function morphChildren(element: Element, fresh: Element): void {
  let next = element.firstChild;
  const removeUntil = (known: ChildNode | null) => {
    while (next && next !== known) {
      const gone = next;
      next = next.nextSibling;
      gone.remove();
    }
  };
  for (const node of [...fresh.childNodes]) {
    const known = knownOf(node, next);
    if (!known) {
      element.insertBefore(node, next);
      continue;
    }
    removeUntil(known);
    if (known instanceof Element && node instanceof Element) morph(known, node);
    else if (known.nodeValue !== node.nodeValue) known.nodeValue = node.nodeValue;
    next = known.nextSibling;
  }
  removeUntil(null);
}

/** Moves nodes out of `fresh`. Elements with `data-own` belong to the script and stay. */
export function morph(element: Element, fresh: Element): void {
  if (element.hasAttribute('data-own')) return;
  morphAttributes(element, fresh);
  morphChildren(element, fresh);
}
