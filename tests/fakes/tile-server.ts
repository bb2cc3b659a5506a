/** A local tile service, raster and a small vector style, with injectable faults. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { checkerboard } from './checkerboard.ts';
import { close, open, urlOf } from './local-server.ts';
import { squareTile } from './vector-tile.ts';

/** 'hangs': accepts the request and never answers; 'down': cuts the connection. */
export type TileFault = 'none' | 'no-cors' | 404 | 429 | 'hangs' | 'down';

export interface TileServer {
  /** Without a trailing slash. */
  origin: string;
  /** TILE_URL for raster tiles. */
  template: string;
  /** TILE_STYLE_URL for the vector style. */
  styleUrl: string;
  fault: TileFault;
  /** Paths in request order; empty it to count again. */
  asked: string[];
  /** 'max-age' of every answer, seconds. */
  maxAgeSeconds: number;
  close(): Promise<void>;
}

const picture = checkerboard();
const tile = squareTile();

function styleAt(origin: string) {
  return {
    version: 8,
    sources: {
      land: {
        type: 'vector',
        tiles: [`${origin}/vector/{z}/{x}/{y}.pbf`],
        maxzoom: 14,
        // Provider text is arbitrary.
        attribution:
          '<style>body{outline:9px solid red}</style>\u00A9 <a href="https://city.example" onclick="x()">City</a>',
      },
    },
    layers: [
      { id: 'ground', type: 'background', paint: { 'background-color': '#e8dcc0' } },
      {
        id: 'land',
        type: 'fill',
        source: 'land',
        'source-layer': 'land',
        paint: { 'fill-color': '#8fae6b' },
      },
    ],
  };
}

export async function startTileServer(): Promise<TileServer> {
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '/';
    self.asked.push(path);
    if (self.fault === 'hangs') return;
    if (self.fault === 'down') return void request.socket.destroy();
    if (self.fault !== 'no-cors') response.setHeader('access-control-allow-origin', '*');
    response.setHeader('cache-control', `public, max-age=${self.maxAgeSeconds}`);
    if (typeof self.fault === 'number') {
      response.writeHead(self.fault, { 'content-type': 'text/plain' });
      return void response.end('No tile for you.');
    }
    if (path === '/style.json') {
      response.setHeader('content-type', 'application/json');
      return void response.end(JSON.stringify(styleAt(self.origin)));
    }
    const isVector = path.startsWith('/vector/');
    response.setHeader('content-type', isVector ? 'application/x-protobuf' : 'image/png');
    response.end(isVector ? tile : picture);
  };
  const server = createServer(answer);
  await open(server);
  const origin = urlOf(server);
  const self: TileServer = {
    origin,
    template: `${origin}/raster/{z}/{x}/{y}.png`,
    styleUrl: `${origin}/style.json`,
    fault: 'none',
    asked: [],
    maxAgeSeconds: 3600,
    close: () => close(server),
  };
  return self;
}
