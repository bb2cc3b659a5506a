/** The product's client against the product's server, in one process, with cuttable network. */
import { createApi } from '#api/api.ts';
import { createFakeLocks } from '#tests/fakes/browser.ts';
import type { Person, Stage } from '#tests/server/stage.ts';

/** Cuts the next request of this method, or its reply. */
export interface Cut {
  method: string;
  when: 'before' | 'after';
}

/** A browser of `person`: cookies, token and client. */
export function realClient(stage: () => Stage, person: Person) {
  let token: string | null = person.token;
  let cookie = person.cookie;
  const cuts: Cut[] = [];
  const network = { isUp: true, mutations: 0 };
  const locks = createFakeLocks();

  const fetchByInjection: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    if (!network.isUp) throw new TypeError('fetch failed');
    const index = cuts.findIndex((cut) => cut.method === request.method);
    const [cut] = index < 0 ? [] : cuts.splice(index, 1);
    if (cut?.when === 'before') throw new TypeError('fetch failed');
    if (request.method !== 'GET') network.mutations += 1;
    const payload = await request.text();
    const { pathname, search } = new URL(request.url);
    const answer = await stage().app.inject({
      method: request.method as 'GET',
      url: pathname + search,
      headers: { ...Object.fromEntries(request.headers), cookie },
      ...(payload === '' ? {} : { payload }),
    });
    const setCookie = answer.headers['set-cookie'];
    if (setCookie) cookie = String(setCookie).split(';', 1)[0] ?? '';
    if (cut) throw new TypeError('terminated');
    const headers = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
    return new Response(answer.body, {
      status: answer.statusCode,
      headers: headers as [string, string][],
    });
  };

  const api = createApi({
    baseUrl: 'http://kaya.test',
    tokenStore: {
      get: () => token,
      set: (next) => {
        token = next;
      },
    },
    locks,
    onSessionEnded: () => {},
    fetch: fetchByInjection,
  });
  return { api, locks, network, cuts };
}
