# O worker de equivalencia.ts, com um disco que o teste cria e apaga.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "equivalencia", worker = (
      modules = [ (name = "equivalencia", esModule = embed "../../dist/workerd/equivalencia.js") ],
      compatibilityDate = "2026-11-17",
      bindings = [
        (name = "TASKS", durableObjectNamespace = "ObjetoDeTask"),
        (name = "QUE_VENCEM", durableObjectNamespace = "TaskQueVenceLogo"),
        (name = "SEM_INDICE", durableObjectNamespace = "TaskSemIndice"),
        (name = "INDICE", durableObjectNamespace = "ObjetoDoIndice"),
        (name = "AGENDA", durableObjectNamespace = "ObjetoDaAgenda"),
      ],
      durableObjectNamespaces = [
        (className = "ObjetoDeTask", uniqueKey = "tasks", enableSql = true),
        (className = "TaskQueVenceLogo", uniqueKey = "que-vencem", enableSql = true),
        (className = "TaskSemIndice", uniqueKey = "sem-indice", enableSql = true),
        (className = "ObjetoDoIndice", uniqueKey = "indice", enableSql = true),
        (className = "ObjetoDaAgenda", uniqueKey = "agenda", enableSql = true),
      ],
      durableObjectStorage = (localDisk = "disco"),
    )),
    (name = "disco", disk = (path = ".", writable = true)),
  ],
  sockets = [ (name = "http", address = "localhost:7303", http = (), service = "equivalencia") ],
);
