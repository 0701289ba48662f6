# As configurações do workerd, sem nenhuma outra ferramenta: `workerd serve workerd/config.capnp <nome da constante>`.
# Antes, `npm run construir:workerd`. As portas mudam com `--socket-addr`, e a pasta do disco com `--directory-path`.
using Workerd = import "/workerd/workerd.capnp";

# Dois processos de workerd, um para cada serviço, que se falam por HTTP.

const servidorMcp :Workerd.Config = (
  services = [ (name = "servidor-mcp", worker = .workerDoServidorMcp) ],
  sockets = [ (name = "mcp", address = "localhost:7301", http = (), service = "servidor-mcp") ],
);

const agente :Workerd.Config = (
  services = [
    (name = "agente", worker = (
      modules = .moduloDoAgente,
      compatibilityDate = .data,
      bindings = [
        (name = "MCP_PORT", fromEnvironment = "MCP_PORT"),
        (name = "MCP_URL", fromEnvironment = "MCP_URL"),
        (name = "MCP_TIMEOUT_MS", fromEnvironment = "MCP_TIMEOUT_MS"),
        (name = "AGENTE_PORT", fromEnvironment = "AGENTE_PORT"),
        (name = "PUBLIC_URL", fromEnvironment = "PUBLIC_URL"),
        (name = "ALLOWED_HOSTS", fromEnvironment = "ALLOWED_HOSTS"),
      ],
    )),
    # Sem isto só se sai para endereços públicos, e o servidor MCP está nesta máquina.
    (name = "internet", network = (allow = ["public", "local"])),
  ],
  sockets = [ (name = "agente", address = "localhost:7300", http = (), service = "agente") ],
);

# Um processo de workerd com os dois serviços: o agente chega ao servidor MCP por um service binding, sem rede.

const binding :Workerd.Config = (
  services = [
    (name = "servidor-mcp", worker = .workerDoServidorMcp),
    (name = "agente", worker = (
      modules = .moduloDoAgente,
      compatibilityDate = .data,
      bindings = [
        (name = "SERVIDOR_MCP", service = "servidor-mcp"),
        (name = "MCP_URL", fromEnvironment = "MCP_URL"),
        (name = "MCP_TIMEOUT_MS", fromEnvironment = "MCP_TIMEOUT_MS"),
        (name = "AGENTE_PORT", fromEnvironment = "AGENTE_PORT"),
        (name = "PUBLIC_URL", fromEnvironment = "PUBLIC_URL"),
        (name = "ALLOWED_HOSTS", fromEnvironment = "ALLOWED_HOSTS"),
      ],
    )),
  ],
  sockets = [
    (name = "mcp", address = "localhost:7301", http = (), service = "servidor-mcp"),
    (name = "agente", address = "localhost:7300", http = (), service = "agente"),
  ],
);

# O mesmo, com as reservas e as Tasks em objetos duráveis, em disco. O segundo agente usa os objetos do primeiro.

const duravel :Workerd.Config = (
  services = [
    (name = "servidor-mcp", worker = (
      modules = [ (name = "servidor-mcp", esModule = embed "../dist/workerd/servidor-mcp-duravel.js") ],
      compatibilityDate = .data,
      bindings = [
        (name = "AGENDA", durableObjectNamespace = "ObjetoDaAgenda"),
        (name = "REQUEST_STATE_SECRET", fromEnvironment = "REQUEST_STATE_SECRET"),
        (name = "REQUEST_STATE_TTL_SECONDS", fromEnvironment = "REQUEST_STATE_TTL_SECONDS"),
        (name = "ALLOWED_HOSTS", fromEnvironment = "ALLOWED_HOSTS"),
      ],
      durableObjectNamespaces = [ (className = "ObjetoDaAgenda", uniqueKey = "agenda", enableSql = true) ],
      durableObjectStorage = (localDisk = "disco"),
    )),
    (name = "agente", worker = (
      modules = .moduloDoAgenteDuravel,
      compatibilityDate = .data,
      bindings = [
        (name = "SERVIDOR_MCP", service = "servidor-mcp"),
        (name = "TASKS", durableObjectNamespace = "ObjetoDeTask"),
        (name = "INDICE", durableObjectNamespace = "ObjetoDoIndice"),
        (name = "MCP_URL", fromEnvironment = "MCP_URL"),
        (name = "MCP_TIMEOUT_MS", fromEnvironment = "MCP_TIMEOUT_MS"),
        (name = "AGENTE_PORT", fromEnvironment = "AGENTE_PORT"),
        (name = "PUBLIC_URL", fromEnvironment = "PUBLIC_URL"),
        (name = "ALLOWED_HOSTS", fromEnvironment = "ALLOWED_HOSTS"),
      ],
      durableObjectNamespaces = [
        (className = "ObjetoDeTask", uniqueKey = "tasks", enableSql = true),
        (className = "ObjetoDoIndice", uniqueKey = "indice", enableSql = true),
      ],
      durableObjectStorage = (localDisk = "disco"),
    )),
    (name = "outro-agente", worker = (
      modules = .moduloDoAgenteDuravel,
      compatibilityDate = .data,
      bindings = [
        (name = "SERVIDOR_MCP", service = "servidor-mcp"),
        (name = "TASKS", durableObjectNamespace = (className = "ObjetoDeTask", serviceName = "agente")),
        (name = "INDICE", durableObjectNamespace = (className = "ObjetoDoIndice", serviceName = "agente")),
        (name = "MCP_URL", fromEnvironment = "MCP_URL"),
        (name = "MCP_TIMEOUT_MS", fromEnvironment = "MCP_TIMEOUT_MS"),
        (name = "AGENTE_PORT", fromEnvironment = "OUTRO_AGENTE_PORT"),
        (name = "PUBLIC_URL", fromEnvironment = "PUBLIC_URL"),
        (name = "ALLOWED_HOSTS", fromEnvironment = "ALLOWED_HOSTS"),
      ],
    )),
    (name = "disco", disk = (path = ".estado", writable = true)),
  ],
  sockets = [
    (name = "mcp", address = "localhost:7301", http = (), service = "servidor-mcp"),
    (name = "agente", address = "localhost:7300", http = (), service = "agente"),
    (name = "outro-agente", address = "localhost:7302", http = (), service = "outro-agente"),
  ],
);

# O que as configurações acima têm em comum.

const data :Text = "2026-11-17";

const moduloDoAgente :List(Workerd.Worker.Module) =
  [ (name = "agente", esModule = embed "../dist/workerd/agente.js") ];

const moduloDoAgenteDuravel :List(Workerd.Worker.Module) =
  [ (name = "agente", esModule = embed "../dist/workerd/agente-duravel.js") ];

const workerDoServidorMcp :Workerd.Worker = (
  modules = [ (name = "servidor-mcp", esModule = embed "../dist/workerd/servidor-mcp.js") ],
  compatibilityDate = .data,
  bindings = [
    (name = "REQUEST_STATE_SECRET", fromEnvironment = "REQUEST_STATE_SECRET"),
    (name = "REQUEST_STATE_TTL_SECONDS", fromEnvironment = "REQUEST_STATE_TTL_SECONDS"),
    (name = "ALLOWED_HOSTS", fromEnvironment = "ALLOWED_HOSTS"),
  ],
);
