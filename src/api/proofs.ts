/** Pictures that prove a delivery, as bytes: the client's other answers are JSON. */
import { headers } from '#contract/headers.ts';
import { contractVersion } from '#contract/version.ts';
import { answerOf, readRefusal } from './answer.ts';
import { type ApiClient, pictureTimeoutMs } from './client.ts';
import { ApiFailure, noAnswer } from './failure.ts';
import type { ApiOptions } from './ports.ts';

export type ProofsApi = ReturnType<typeof createProofsApi>;

export function createProofsApi(
  client: ApiClient,
  { baseUrl = '', ...options }: Pick<ApiOptions, 'baseUrl' | 'fetch'>,
) {
  const send: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init));

  async function getOnce(token: string, path: string): Promise<Blob> {
    const signal = AbortSignal.timeout(pictureTimeoutMs);
    try {
      const response = await send(`${baseUrl}${path}`, {
        headers: {
          accept: 'image/*',
          authorization: `Bearer ${token}`,
          [headers.contractVersion]: String(contractVersion),
        },
        credentials: 'include',
        signal,
      });
      const isPicture = response.headers.get('content-type')?.startsWith('image/');
      if (response.status === 200 && isPicture) return await response.blob();
      throw readRefusal(await answerOf(response));
    } catch (cause) {
      if (cause instanceof ApiFailure) throw cause;
      throw signal.aborted
        ? noAnswer('timeout', 'The server took too long.', cause)
        : noAnswer('network', 'The server was not reached.', cause);
    }
  }

  return {
    getProof: (packageId: string, proofId: string): Promise<Blob> => {
      const [id, proof] = [packageId, proofId].map(encodeURIComponent);
      return client.authorized((token) => getOnce(token, `/api/packages/${id}/proofs/${proof}`));
    },
  };
}
