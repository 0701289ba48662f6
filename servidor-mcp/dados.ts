/** Os três arquivos de dados/, para os runtimes que importam texto: entram no pacote, e nada é lido do disco. */
import politica from '../dados/politica-de-uso.md' with { type: 'text' };
import reservas from '../dados/reservas.json' with { type: 'json' };
import salas from '../dados/salas.json' with { type: 'json' };

export const DADOS = { salas, reservas, politica };
