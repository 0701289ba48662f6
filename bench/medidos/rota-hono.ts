/** Piso: uma rota de Hono, que devolve o JSON que recebe. É também o serviço mínimo com que se compara a partida. */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const app = new Hono();
app.post('/', async (c) => c.json(await c.req.json()));
serve({ fetch: app.fetch, port: Number(process.env.PORTA), hostname: '127.0.0.1' });
