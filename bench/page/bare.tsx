/**
 * The least that the libraries of the first page can do: the splash's words, drawn by React behind a
 * route, from an atom, with a client at hand that nothing is asked of.
 */
import { atom, createStore, Provider, useAtomValue } from 'jotai';
import ky from 'ky';
import { createRoot } from 'react-dom/client';
import { BrowserRouter, Route, Routes } from 'react-router-dom';

const wordsAtom = atom('Your ride to faster deliveries');
const client = ky.create({ retry: 0 });

function Words() {
  return <p>{useAtomValue(wordsAtom)}</p>;
}

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root.');
createRoot(root).render(
  <Provider store={createStore()}>
    <BrowserRouter>
      <Routes>
        <Route path="*" element={<Words />} />
      </Routes>
    </BrowserRouter>
  </Provider>,
);
Object.assign(globalThis, { client });
