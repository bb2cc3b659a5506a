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

const isAlike = (node: Node, fresh: Node) =>
  node.nodeName === fresh.nodeName &&
  (!(node instanceof Element) || !(fresh instanceof Element) || node.id === fresh.id);

export function morphChildren(element: Element, fresh: Element): void {
  const [old, wanted] = [[...element.childNodes], [...fresh.childNodes]];
  for (const [at, node] of wanted.entries()) {
    const known = old[at];
    if (!known) element.append(node);
    else if (!isAlike(known, node)) known.replaceWith(node);
    else if (known instanceof Element && node instanceof Element) morph(known, node);
    else if (known.nodeValue !== node.nodeValue) known.nodeValue = node.nodeValue;
  }
  for (const node of old.slice(wanted.length)) node.remove();
}

/** Nodes of `fresh` may move. What is `data-own` is the script's, and stays as it is. */
export function morph(element: Element, fresh: Element): void {
  if (element.hasAttribute('data-own')) return;
  morphAttributes(element, fresh);
  morphChildren(element, fresh);
}
