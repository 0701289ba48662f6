/** Piso: `node:http` puro, que devolve o JSON que recebe. */
import { createServer } from 'node:http';

createServer((request, response) => {
  let texto = '';
  request.setEncoding('utf8');
  request.on('data', (pedaco: string) => {
    texto += pedaco;
  });
  request.on('end', () => {
    const corpo = JSON.stringify(JSON.parse(texto));
    response.writeHead(200, { 'content-type': 'application/json' }).end(corpo);
  });
}).listen(Number(process.env.PORTA), '127.0.0.1');
