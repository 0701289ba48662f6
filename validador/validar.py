#!/usr/bin/env python3
"""Cliente de conformidade de A Ponte: 36 verificações contra os dois processos no ar.

Da 1 à 20 fala MCP (Streamable HTTP, 2026-07-28) com o servidor; da 21 à 36 fala A2A 1.0 (JSON-RPC) com o
agente. A ordem importa: cada reserva feita por uma verificação é o cenário das seguintes. Por isso os dois
processos precisam estar recém-iniciados.

    python3 validador/validar.py --agente http://localhost:7300 --mcp http://localhost:7301

A primeira linha traz o trace-id usado no traceparent, para procurar no stderr do servidor MCP. Cada
verificação imprime PASS ou FAIL com o motivo. Código de saída: 0 se as 36 passam, 1 se alguma falha, 2 se um
serviço não atende.
"""

import argparse
import base64
import http.client
import itertools
import json
import os
import re
import secrets
import socket
import string
import sys
import time
from urllib.parse import unquote, urlsplit

VERSAO_MCP = "2026-07-28"
MAIOR_CORPO = 4 * 1024 * 1024  # bytes

ELICITATION_EM_FORM = {"elicitation": {"form": {}}}
META_VERSAO = "io.modelcontextprotocol/protocolVersion"
META_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
META = {
    META_VERSAO: VERSAO_MCP,
    META_CAPABILITIES: ELICITATION_EM_FORM,
    "io.modelcontextprotocol/clientInfo": {"name": "validador", "version": "1.0.0"},
}
ESPELHADO_EM_MCP_NAME = {"tools/call": "name", "resources/read": "uri"}

PARAMETROS_INVALIDOS = -32602
FALTA_CAPABILITY = -32021

FERRAMENTAS = {"listar_salas", "consultar_disponibilidade", "reservar_sala"}
SALAS = ["sala-aquario", "sala-porao", "sala-garagem", "sala-fusca", "sala-mirante"]
VERSAO_DA_POLITICA = "2026-11-01"
POLITICA = f"""versao: {VERSAO_DA_POLITICA}

- Reservas somente entre 08:00 e 20:00, horario de Sao Paulo (-03:00).
- Duracao maxima de 2 horas por reserva.
- Uma sala nao pode ter duas reservas sobrepostas."""

SALA_INEXISTENTE = "Sala inexistente: sala-inexistente"
FORA_DA_JANELA = "Fora da janela de uso: a politica permite reservas entre 08:00 e 20:00"
DURACAO_ACIMA = "Duracao acima do limite: a politica permite no maximo 2 horas"
INTERVALO_INVALIDO = "Intervalo invalido: fim deve ser posterior a inicio"
SEM_ALTERNATIVAS = "Sem alternativas disponiveis no intervalo"

COMPLETED = "TASK_STATE_COMPLETED"
CANCELED = "TASK_STATE_CANCELED"
FAILED = "TASK_STATE_FAILED"
INPUT_REQUIRED = "TASK_STATE_INPUT_REQUIRED"


class Falha(Exception):
    """Uma verificação que não passou. A mensagem diz o que era esperado e o que veio."""


def exigir(condicao, esperado, veio):
    """Lança Falha com o esperado e um resumo do que veio, se a condição não vale."""
    if not condicao:
        raise Falha(f"esperado {esperado}; veio {resumo(veio)}")


def exigir_texto(valor, quem):
    """Exige um texto não vazio. Devolve o texto."""
    exigir(isinstance(valor, str) and valor, quem, valor)
    return valor


def exigir_campos(valor, esperados, quem):
    """Exige um objeto com estes campos e valores (pode ter outros). Devolve o objeto."""
    obtidos = {campo: valor.get(campo) for campo in esperados} if isinstance(valor, dict) else None
    exigir(identicos(obtidos, esperados), f"{quem} com {resumo(esperados)}", valor)
    return valor


def identicos(um, outro):
    """Compara como JSON: ao contrário do ==, true não vale 1."""
    return json.dumps(um, sort_keys=True) == json.dumps(outro, sort_keys=True)


def resumo(valor):
    """O valor como JSON de uma linha, cortado e sem caracteres de controle: não mexe no terminal."""
    texto = json.dumps(valor, ensure_ascii=False, default=str)
    cortado = texto if len(texto) <= 200 else texto[:200] + "…"
    return "".join(letra if letra.isprintable() else f"\\u{ord(letra):04x}" for letra in cortado)


# ------------------------------------------------------------------------------------------------------------
# HTTP e JSON-RPC


class Resposta:
    """Uma resposta HTTP já lida: status, headers como texto, tipo sem parâmetros e o corpo como texto."""

    def __init__(self, status, headers, tipo, texto):
        self.status = status
        self.headers = headers
        self.tipo = tipo
        self.texto = texto

    def json(self):
        """O corpo como JSON, venha ele direto ou como evento de um text/event-stream."""
        mensagens = eventos(self.texto) if self.tipo == "text/event-stream" else [self.texto]
        try:
            lidas = [json.loads(mensagem) for mensagem in mensagens]
        except ValueError:
            lidas = []
        # Num stream, notificações podem vir antes da resposta: a resposta é a última mensagem.
        exigir(lidas, "um corpo JSON", f"HTTP {self.status}, {self.tipo}: {self.texto[:120]}")
        return lidas[-1]


def eventos(texto):
    """Os `data` não vazios de um corpo SSE, na ordem."""
    blocos = re.split(r"\n\n+", texto.replace("\r\n", "\n").replace("\r", "\n"))
    dados = ("\n".join(re.findall(r"^data: ?(.*)$", bloco, re.MULTILINE)) for bloco in blocos)
    return [dado for dado in dados if dado.strip()]


def pedir(metodo, url, headers, prazo, corpo=None):
    """Faz um request HTTP, com prazo em segundos para a resposta inteira, sem seguir redirecionamento.

    Lança Falha se não houver resposta.
    """
    partes = urlsplit(url)
    classe = http.client.HTTPSConnection if partes.scheme == "https" else http.client.HTTPConnection
    conexao = classe(partes.hostname, partes.port, timeout=prazo)
    limite = time.monotonic() + prazo
    try:
        conexao.request(metodo, partes.path or "/", corpo, headers)
        resposta = conexao.getresponse()
        bruto = b""
        while pedaco := resposta.read1(65536):
            bruto += pedaco
            exigir(len(bruto) <= MAIOR_CORPO, f"um corpo de até {MAIOR_CORPO} bytes", len(bruto))
            exigir(time.monotonic() < limite, f"a resposta inteira em {prazo} s", f"só {len(bruto)} bytes")
    except (OSError, http.client.HTTPException) as erro:
        raise Falha(f"esperada uma resposta de {url}; veio {resumo(repr(erro))}") from erro
    finally:
        conexao.close()
    tipo = resposta.headers.get_content_type()
    return Resposta(resposta.status, str(resposta.headers), tipo, bruto.decode("utf-8", "replace"))


class Rpc:
    """Uma resposta JSON-RPC ao pedido `id`: exatamente um entre result e error."""

    def __init__(self, resposta, id_do_pedido):
        self.status = resposta.status
        self.corpo = resposta.json()
        exigir_campos(self.corpo, {"jsonrpc": "2.0"}, "uma resposta")
        exigir(("result" in self.corpo) != ("error" in self.corpo), "só result ou só error", self.corpo)
        # Um erro anterior à leitura do id pode vir com id null (JSON-RPC 2.0, 5).
        aceitos = [id_do_pedido] if "result" in self.corpo else [id_do_pedido, None]
        exigir(self.corpo.get("id") in aceitos, f"o id {id_do_pedido!r} de volta", self.corpo.get("id"))

    def resultado(self):
        """O result, que precisa ser um objeto e vir com HTTP 200."""
        exigir("result" in self.corpo, "um result", self.corpo)
        exigir(self.status == 200, "HTTP 200", self.status)
        exigir(isinstance(self.corpo["result"], dict), "um result que é objeto", self.corpo["result"])
        return self.corpo["result"]

    def erro(self, codigo=None, status=None):
        """O error, com o código e o status HTTP pedidos, se pedidos."""
        exigir("error" in self.corpo, "um error de JSON-RPC", self.corpo)
        erro = self.corpo["error"]
        exigir(isinstance(erro, dict) and type(erro.get("code")) is int, "um error com code inteiro", erro)
        exigir_texto(erro.get("message"), "um error com message")
        exigir(codigo in (None, erro["code"]), f"o código {codigo}", erro)
        exigir(status in (None, self.status), f"HTTP {status}", f"HTTP {self.status}")
        return erro


# ------------------------------------------------------------------------------------------------------------
# Cliente MCP


class ServidorMcp:
    """Cliente MCP sem sessão: todo request leva id novo, `_meta` e os headers que espelham o corpo."""

    def __init__(self, url, prazo):
        self.url = url
        self.prazo = prazo
        self.estados = []  # os requestStates das pausas vistas, para a verificação 34
        self._ids = itertools.count(1)

    def chamar(self, metodo, params, meta=None, sem_meta=None, com_versao=True):
        """Manda um request e devolve um Rpc.

        `meta` muda chaves do `_meta` e `sem_meta` retira uma; `com_versao` diz se vai o header de versão.
        """
        meta = {**META, **(meta or {})}
        meta.pop(sem_meta, None)
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Mcp-Method": metodo,
        }
        if com_versao:
            headers["MCP-Protocol-Version"] = VERSAO_MCP
        if metodo in ESPELHADO_EM_MCP_NAME:
            headers["Mcp-Name"] = params[ESPELHADO_EM_MCP_NAME[metodo]]
        numero = next(self._ids)
        corpo = {"jsonrpc": "2.0", "id": numero, "method": metodo, "params": {**params, "_meta": meta}}
        return Rpc(pedir("POST", self.url, headers, self.prazo, json.dumps(corpo)), numero)

    def ferramenta(self, nome, argumentos=None, **opcoes):
        """tools/call."""
        return self.chamar("tools/call", {"name": nome, "arguments": argumentos or {}}, **opcoes)

    def pausar(self, argumentos, **opcoes):
        """tools/call de reservar_sala num intervalo ocupado. Devolve a Pausa."""
        pausa = Pausa(self.ferramenta("reservar_sala", argumentos, **opcoes), argumentos)
        self.estados.append(pausa.estado)
        return pausa

    def responder(self, pausa, resposta, estado=None, argumentos=None):
        """O retry de uma pausa, com a mesma chave; se nada for dito, os mesmos argumentos e requestState."""
        params = {
            "name": "reservar_sala",
            "arguments": argumentos or pausa.argumentos,
            "inputResponses": {pausa.chave: resposta},
            "requestState": estado or pausa.estado,
        }
        return self.chamar("tools/call", params)

    def exigir_livre(self, sala, inicio, fim, livre):
        """Confere por consultar_disponibilidade se o intervalo está (ou não está) livre."""
        quando = {"sala": sala, "inicio": hora(inicio), "fim": hora(fim)}
        obtido = concluido(self.ferramenta("consultar_disponibilidade", quando)).get("livre")
        exigir(obtido is livre, f"{sala} das {inicio} às {fim} com livre igual a {resumo(livre)}", obtido)


class Pausa:
    """Um input_required conferido: uma entrada, requestState presente, e os argumentos que levaram a ele."""

    def __init__(self, rpc, argumentos):
        resultado = exigir_campos(rpc.resultado(), {"resultType": "input_required"}, "um resultado")
        pedidos = resultado.get("inputRequests")
        exigir(isinstance(pedidos, dict) and len(pedidos) == 1, "uma única entrada em inputRequests", pedidos)
        [(self.chave, self.pedido)] = pedidos.items()
        self.estado = exigir_texto(resultado.get("requestState"), "um requestState")
        self.argumentos = argumentos

    def alternativas(self):
        """As salas oferecidas no enum de uma elicitation como a do contrato: plana, com a propriedade sala."""
        params = exigir_campos(self.pedido, {"method": "elicitation/create"}, "um pedido").get("params")
        exigir_texto(exigir_campos(params, {"mode": "form"}, "params").get("message"), "uma message")
        esquema = exigir_campos(params.get("requestedSchema"), {"type": "object"}, "requestedSchema")
        propriedades = esquema.get("properties")
        exigir(list(propriedades) == ["sala"], "só a propriedade sala", esquema)
        sala = exigir_campos(propriedades["sala"], {"type": "string"}, "a propriedade sala")
        return sala.get("enum")


def aceitar(sala):
    """A resposta de elicitation que escolhe uma sala."""
    return {"action": "accept", "content": {"sala": sala}}


def textos(partes):
    """Os textos de uma lista de blocos (MCP) ou de partes (A2A)."""
    exigir(isinstance(partes, list), "uma lista de blocos", partes)
    return [parte["text"] for parte in partes if isinstance(parte.get("text"), str)]


def concluido(rpc):
    """O structuredContent de um resultado completo e sem erro, que traz o mesmo JSON num bloco de texto."""
    resultado = exigir_campos(rpc.resultado(), {"resultType": "complete"}, "um resultado")
    exigir(resultado.get("isError") in (None, False), "isError ausente ou false", resultado)
    estruturado = resultado.get("structuredContent")
    exigir(isinstance(estruturado, dict), "structuredContent", resultado)
    iguais = [texto for texto in textos(resultado.get("content")) if mesmo_json(texto, estruturado)]
    exigir(iguais, "um bloco de texto com o mesmo JSON do structuredContent", resultado)
    return estruturado


def mesmo_json(texto, valor):
    """Diz se o texto é JSON e vale exatamente o valor."""
    try:
        return identicos(json.loads(texto), valor)
    except ValueError:
        return False


def exigir_erro_da_ferramenta(rpc, mensagem):
    """Exige isError com a mensagem exata num resultado completo. Um prefixo do SDK antes dela é aceito."""
    resultado = exigir_campos(rpc.resultado(), {"resultType": "complete", "isError": True}, "um resultado")
    exigir_mensagem(textos(resultado.get("content")), mensagem)


def exigir_mensagem(candidatos, mensagem):
    """Exige que algum dos textos seja a mensagem, com ou sem prefixo."""
    exigir(any(texto.strip().endswith(mensagem) for texto in candidatos), f'o texto "{mensagem}"', candidatos)


def exigir_reserva(obtida, argumentos, sala=None):
    """Exige uma reserva com os valores dos argumentos (ou noutra sala), id próprio e a versão da política."""
    esperada = {**argumentos, "sala": sala or argumentos["sala"], "politica": VERSAO_DA_POLITICA}
    exigir_texto(exigir_campos(obtida, esperada, "uma reserva").get("reserva"), "o id da reserva")


def esquema_aceita(esquema, valor, raiz):
    """Valida o valor pelo subconjunto de JSON Schema que geradores usam em outputSchema."""
    if not isinstance(esquema, dict):
        return esquema is not False
    if "$ref" in esquema:
        alvo = raiz
        for passo in esquema["$ref"].removeprefix("#/").split("/"):
            alvo = alvo[passo]
        return esquema_aceita(alvo, valor, raiz)
    if "anyOf" in esquema and not any(esquema_aceita(opcao, valor, raiz) for opcao in esquema["anyOf"]):
        return False
    tipos = esquema.get("type", TIPOS_JSON)
    if not set(tipos_json(valor)) & set([tipos] if isinstance(tipos, str) else tipos):
        return False
    if isinstance(valor, list):
        return all(esquema_aceita(esquema.get("items", True), item, raiz) for item in valor)
    if not isinstance(valor, dict):
        return "enum" not in esquema or valor in esquema["enum"]
    propriedades = esquema.get("properties", {})
    extras = esquema.get("additionalProperties", True)
    return set(esquema.get("required", [])) <= set(valor) and all(
        esquema_aceita(propriedades.get(chave, extras), item, raiz) for chave, item in valor.items()
    )


TIPOS_JSON = ["boolean", "integer", "number", "string", "array", "object", "null"]


def tipos_json(valor):
    """Os nomes de tipo de JSON Schema que servem ao valor: um inteiro também é number."""
    nomes = {bool: "boolean", float: "number", str: "string", list: "array", dict: "object"}
    return ["integer", "number"] if type(valor) is int else [nomes.get(type(valor), "null")]


# ------------------------------------------------------------------------------------------------------------
# Cliente A2A


class Agente:
    """Cliente A2A 1.0, binding JSON-RPC. Guarda tudo o que o agente já respondeu, para a verificação 34."""

    def __init__(self, base, caminho, prazo, traceparent):
        self.base = base
        self.caminho = caminho
        self.prazo = prazo
        self.respostas = []
        self._traceparent = traceparent
        self._ids = itertools.count(1)

    def _pedir(self, metodo, caminho, headers, corpo=None):
        resposta = pedir(metodo, self.base + caminho, headers, self.prazo, corpo)
        self.respostas.append(f"{resposta.headers}\n{resposta.texto}")
        return resposta

    def card(self):
        """GET do Agent Card."""
        return self._pedir("GET", "/.well-known/agent-card.json", {})

    def chamar(self, metodo, params, com_trace=False):
        """Manda um request JSON-RPC e devolve um Rpc."""
        headers = {"Content-Type": "application/json"}
        if com_trace:
            headers["traceparent"] = self._traceparent()
        pedido = {"jsonrpc": "2.0", "id": next(self._ids), "method": metodo, "params": params}
        return Rpc(self._pedir("POST", self.caminho, headers, json.dumps(pedido)), pedido["id"])

    def mandar(self, texto, tarefa=None, com_trace=False):
        """SendMessage com uma parte de texto; com `tarefa`, a continuação dela. Devolve um Rpc."""
        identidade = f"msg-{secrets.token_hex(6)}"
        mensagem = {"messageId": identidade, "role": "ROLE_USER", "parts": [{"text": texto}]}
        if tarefa:
            mensagem["taskId"] = tarefa.id
        return self.chamar("SendMessage", {"message": mensagem}, com_trace)

    def reservar(self, argumentos, com_trace=False):
        """SendMessage com o pedido de reserva em formato fixo. Devolve a Tarefa."""
        campos = " ".join(f"{campo}={valor}" for campo, valor in argumentos.items())
        return Tarefa(self.mandar(f"reservar {campos}", com_trace=com_trace))

    def continuar(self, tarefa, escolha):
        """SendMessage com `escolha=...` numa Task pausada. Devolve a Tarefa, que precisa ser a mesma."""
        depois = Tarefa(self.mandar(f"escolha={escolha}", tarefa))
        depois.exigir_mesma(tarefa)
        return depois

    def obter(self, tarefa):
        """GetTask. Devolve a Tarefa, que precisa ser a mesma."""
        depois = Tarefa(self.chamar("GetTask", {"id": tarefa.id}))
        depois.exigir_mesma(tarefa)
        return depois


class Tarefa:
    """Uma Task, venha ela em result.task ou no próprio result."""

    def __init__(self, rpc):
        resultado = rpc.resultado()
        self.task = resultado.get("task", resultado)
        exigir(isinstance(self.task, dict), "uma Task", resultado)
        self.id = exigir_texto(self.task.get("id"), "uma Task com id")
        self.contexto = exigir_texto(self.task.get("contextId"), "uma Task com contextId")
        exigir(isinstance(self.task.get("status"), dict), "uma Task com status", self.task)
        self.estado = self.task["status"].get("state")

    def exigir_mesma(self, outra):
        """Exige o mesmo id e o mesmo contextId."""
        exigir(self.id == outra.id, f"a mesma Task, {resumo(outra.id)}", self.task)
        exigir(self.contexto == outra.contexto, f"o mesmo contextId, {resumo(outra.contexto)}", self.task)

    def exigir_estado(self, estado):
        """Exige o estado da Task."""
        exigir(self.estado == estado, estado, self.task["status"])

    def mensagem(self):
        """O texto da mensagem do status, que é do agente e só tem partes de texto."""
        mensagem = self.task["status"].get("message")
        exigir_campos(mensagem, {"role": "ROLE_AGENT"}, "uma mensagem no status")
        partes = textos(mensagem.get("parts"))
        exigir(partes and len(partes) == len(mensagem["parts"]), "só partes de texto", mensagem)
        return "".join(partes)

    def historico(self):
        """Os textos de todas as mensagens do agente no histórico."""
        mensagens = self.task.get("history")
        exigir(isinstance(mensagens, list), "o histórico da Task", self.task)
        return [texto for m in mensagens if m.get("role") == "ROLE_AGENT" for texto in textos(m.get("parts"))]

    def artifact(self):
        """O JSON do único artifact, de nome reserva."""
        artifacts = self.task.get("artifacts") or []
        exigir([a.get("name") for a in artifacts] == ["reserva"], "um artifact de nome reserva", artifacts)
        texto = "".join(textos(artifacts[0].get("parts")))
        try:
            return json.loads(texto)
        except ValueError:
            raise Falha(f"esperado o JSON da reserva no artifact; veio {resumo(texto)}") from None

    def exigir_pausa(self, linha=None):
        """Exige INPUT_REQUIRED com a linha de alternativas (exatamente esta, se dada). Devolve a linha."""
        self.exigir_estado(INPUT_REQUIRED)
        obtida = self.mensagem()
        if linha is None:
            exigir(re.fullmatch(r"alternativas: [\w-]+(, [\w-]+)*", obtida), "`alternativas: <ids>`", obtida)
        else:
            exigir(obtida == linha, f"exatamente `{linha}`", obtida)
        return obtida

    def exigir_concluida(self, argumentos, sala=None):
        """Exige COMPLETED com o artifact da reserva pedida. Devolve a reserva."""
        self.exigir_estado(COMPLETED)
        reserva = self.artifact()
        exigir_reserva(reserva, argumentos, sala)
        return reserva


# ------------------------------------------------------------------------------------------------------------
# A busca por requestState vazado


def formas(texto):
    """O texto como veio e sem cada disfarce: escapes de JSON e de URL, e base64 (o `raw` de uma Part)."""
    vistas = {texto}
    camada = [texto]
    for _ in range(4):
        camada = [forma for atual in camada for forma in descascar(atual) if forma not in vistas]
        vistas.update(camada)
    return vistas


def descascar(texto):
    """O texto com uma camada de disfarce a menos, de cada tipo."""
    yield re.sub(r"\\+u([0-9a-fA-F]{4})", lambda escape: chr(int(escape[1], 16)), texto)
    yield re.sub(r'\\+(["/\\])', r"\1", texto)
    yield unquote(texto)
    for trecho in re.findall(r"[A-Za-z0-9+/_-]{40,}", texto):
        completo = trecho.replace("-", "+").replace("_", "/") + "=" * (-len(trecho) % 4)
        try:
            yield base64.b64decode(completo).decode("latin-1")
        except ValueError:
            pass


def familia(estados):
    """A expressão que reconhece um token selado como os vistos: o mesmo começo, o mesmo alfabeto, comprido.

    O agente guarda requestStates que o validador nunca viu; o que têm em comum com os vistos é a família.
    """
    comeco = os.path.commonprefix(estados)[:16]
    menor = min(map(len, estados))
    # Sem um começo em comum só o comprimento denuncia, então ele precisa ser maior do que o de qualquer id.
    minimo = max(32, menor // 4) if len(comeco) >= 3 else max(64, menor // 2)
    simbolos = "".join(sorted(set("".join(estados)) - set(string.ascii_letters + string.digits)))
    return re.compile(re.escape(comeco) + f"[A-Za-z0-9{re.escape(simbolos)}]{{{minimo - len(comeco)},}}")


NOME_DO_CAMPO = re.compile(r"""request[_-]?state["']?\s*[:=]|["']request[_-]?state["']""", re.IGNORECASE)


def exigir_sem_vazamento(respostas, estados):
    """Exige que nenhuma resposta traga um requestState, com ou sem o nome do campo, em nenhuma forma."""
    selado = familia(estados)
    for resposta in respostas:
        for forma in formas(resposta):
            visto = next((estado for estado in estados if estado in forma), None)
            achado = visto or (NOME_DO_CAMPO.search(forma) or selado.search(forma) or [None])[0]
            exigir(achado is None, "nenhum requestState em resposta A2A", achado)


# ------------------------------------------------------------------------------------------------------------
# As verificações


class Cenario:
    """O que as verificações compartilham: clientes, trace-id e o que cada uma deixa para as seguintes."""

    def __init__(self, opcoes):
        self.trace_id = secrets.token_hex(16)
        self.mcp = ServidorMcp(opcoes.mcp + opcoes.caminho_mcp, opcoes.prazo)
        self.agente = Agente(opcoes.agente, opcoes.caminho_a2a, opcoes.prazo, self.traceparent)
        self.caminho_a2a = opcoes.caminho_a2a
        self._deixado = {}

    def traceparent(self):
        """Um traceparent novo, sempre com o mesmo trace-id."""
        return f"00-{self.trace_id}-{secrets.token_hex(8)}-01"

    def deixar(self, numero, valor):
        """Guarda o que a verificação obteve, para as seguintes. Devolve o valor."""
        self._deixado[numero] = valor
        return valor

    def deixado_por(self, numero):
        """O que uma verificação anterior obteve. Lança Falha se ela não chegou lá."""
        if numero not in self._deixado:
            raise Falha(f"depende da verificação {numero}, que não obteve o que esta precisa")
        return self._deixado[numero]


VERIFICACOES = []


def verificacao(numero, titulo):
    """Registra a função como a verificação de um número. Ela recebe o Cenario e lança Falha se não passar."""

    def registrar(funcao):
        VERIFICACOES.append((numero, titulo, funcao))
        return funcao

    return registrar


def hora(texto):
    """O instante ISO 8601 de um HH:MM no dia do cenário."""
    return f"2026-11-03T{texto}:00-03:00"


def pedido(sala, inicio, fim, responsavel):
    """Os argumentos de reservar_sala."""
    return {"sala": sala, "inicio": hora(inicio), "fim": hora(fim), "responsavel": responsavel}


GARAGEM_14H = pedido("sala-garagem", "14:00", "15:00", "Marty")  # ocupada desde o início por res-0001
FUSCA_16H = pedido("sala-fusca", "16:00", "17:00", "Jennifer")  # ocupada desde o início por res-0002
LINHA_DA_GARAGEM = "alternativas: sala-fusca, sala-mirante"
PORAO_9H = pedido("sala-porao", "09:00", "10:00", "Einstein")


@verificacao(1, "MCP: tools/list traz as três tools")
def v01(c):
    tools = c.mcp.chamar("tools/list", {}).resultado().get("tools")
    por_nome = c.deixar(1, {tool.get("name"): tool for tool in tools})
    exigir(FERRAMENTAS <= set(por_nome), f"as tools {sorted(FERRAMENTAS)}", list(por_nome))


@verificacao(2, "MCP: todo inputSchema é um JSON Schema de objeto")
def v02(c):
    for nome, tool in c.deixado_por(1).items():
        esquema = exigir_campos(tool.get("inputSchema"), {"type": "object"}, f"o inputSchema de {nome}")
        propriedades = esquema.get("properties", {})
        validas = isinstance(propriedades, dict) and all(isinstance(p, dict) for p in propriedades.values())
        exigir(validas, f"{nome} com um esquema por propriedade", esquema)
        obrigatorias = esquema.get("required", [])
        validas = isinstance(obrigatorias, list) and set(obrigatorias) <= set(propriedades)
        exigir(validas, f"{nome} com required entre as propriedades", esquema)


@verificacao(3, "MCP: listar_salas traz structuredContent e o mesmo JSON em texto")
def v03(c):
    salas = concluido(c.mcp.ferramenta("listar_salas"))
    exigir(all(f'"{sala}"' in json.dumps(salas) for sala in SALAS), "as cinco salas", salas)
    esquema = c.deixado_por(1)["listar_salas"].get("outputSchema")
    exigir_campos(esquema, {"type": "object"}, "o outputSchema")
    exigir(esquema_aceita(esquema, salas, esquema), "structuredContent conforme o outputSchema", salas)


def exigir_recusa_sem(c, chave):
    """Exige -32602 e HTTP 400 quando a chave falta no `_meta`, com e sem o header de versão."""
    for com_versao in (True, False):
        rpc = c.mcp.ferramenta("listar_salas", sem_meta=chave, com_versao=com_versao)
        rpc.erro(PARAMETROS_INVALIDOS, 400)


@verificacao(4, "MCP: request sem protocolVersion no _meta recebe -32602 e HTTP 400")
def v04(c):
    exigir_recusa_sem(c, META_VERSAO)


@verificacao(5, "MCP: request sem clientCapabilities no _meta recebe -32602 e HTTP 400")
def v05(c):
    exigir_recusa_sem(c, META_CAPABILITIES)


@verificacao(6, "MCP: tool inexistente é recusada")
def v06(c):
    rpc = c.mcp.ferramenta("tool_inexistente")
    if "error" in rpc.corpo:
        rpc.erro(PARAMETROS_INVALIDOS)
    else:
        exigir(rpc.resultado().get("isError") is True, "-32602 ou isError true", rpc.corpo)


@verificacao(7, "MCP: resources/read de politica://uso traz a política")
def v07(c):
    conteudos = c.mcp.chamar("resources/read", {"uri": "politica://uso"}).resultado().get("contents")
    exigir(isinstance(conteudos, list) and len(conteudos) == 1, "um conteúdo", conteudos)
    esperado = {"uri": "politica://uso", "mimeType": "text/markdown"}
    conteudo = exigir_campos(conteudos[0], esperado, "o conteúdo")
    exigir(conteudo["text"].strip() == POLITICA, f"a política, versão {VERSAO_DA_POLITICA}", conteudo)


@verificacao(8, "MCP: resources/read de URI inexistente recebe -32602")
def v08(c):
    c.mcp.chamar("resources/read", {"uri": "politica://inexistente"}).erro(PARAMETROS_INVALIDOS)


@verificacao(9, "MCP: sala inexistente é isError com o texto exato")
def v09(c):
    argumentos = pedido("sala-inexistente", "09:00", "10:00", "Marty")
    exigir_erro_da_ferramenta(c.mcp.ferramenta("reservar_sala", argumentos), SALA_INEXISTENTE)


def exigir_consulta_recusada(c, inicio, fim, mensagem):
    """Exige que consultar_disponibilidade recuse o intervalo com a mensagem."""
    quando = {"sala": "sala-aquario", "inicio": hora(inicio), "fim": hora(fim)}
    exigir_erro_da_ferramenta(c.mcp.ferramenta("consultar_disponibilidade", quando), mensagem)


@verificacao(10, "MCP: fora da janela de uso é isError com o texto exato")
def v10(c):
    exigir_consulta_recusada(c, "07:00", "08:00", FORA_DA_JANELA)


@verificacao(11, "MCP: duração acima do limite é isError com o texto exato")
def v11(c):
    exigir_consulta_recusada(c, "09:00", "12:00", DURACAO_ACIMA)


@verificacao(12, "MCP: intervalo invertido é isError com o texto exato")
def v12(c):
    exigir_consulta_recusada(c, "10:00", "09:00", INTERVALO_INVALIDO)


@verificacao(13, "MRTR: conflito recebe input_required, uma entrada e requestState")
def v13(c):
    c.deixar(13, c.mcp.pausar(GARAGEM_14H, meta={"traceparent": c.traceparent()}))


@verificacao(14, "MRTR: elicitation em form mode, com as alternativas na ordem da regra")
def v14(c):
    alternativas = c.deixado_por(13).alternativas()
    exigir(alternativas == ["sala-fusca", "sala-mirante"], "sala-fusca e depois sala-mirante", alternativas)


@verificacao(15, "MRTR: sem elicitation em form mode, -32021 com requiredCapabilities e HTTP 400")
def v15(c):
    for capabilities in ({}, {"elicitation": {"url": {}}}):
        rpc = c.mcp.ferramenta("reservar_sala", GARAGEM_14H, meta={META_CAPABILITIES: capabilities})
        dados = rpc.erro(FALTA_CAPABILITY, 400).get("data")
        exigir_campos(dados, {"requiredCapabilities": ELICITATION_EM_FORM}, "data")


@verificacao(16, "MRTR: o retry com a escolha conclui a reserva")
def v16(c):
    pausa = c.mcp.pausar(FUSCA_16H)
    reserva = concluido(c.mcp.responder(pausa, aceitar("sala-garagem")))
    exigir_campos(reserva, {"reservado": True}, "uma reserva")
    exigir_reserva(reserva, FUSCA_16H, "sala-garagem")
    c.mcp.exigir_livre("sala-garagem", "16:00", "17:00", livre=False)


@verificacao(17, "MRTR: requestState adulterado recebe -32602")
def v17(c):
    pausa = c.deixado_por(13)
    for adulterado in adulterados(pausa.estado):
        c.mcp.responder(pausa, aceitar("sala-fusca"), estado=adulterado).erro(PARAMETROS_INVALIDOS)


def adulterados(estado):
    """O estado com o fim trocado: quatro caracteres, e um só bit, que em base64url pode ser de sobra."""
    alfabeto = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
    yield estado[:-4] + ("AAAA" if estado[-4:] != "AAAA" else "BBBB")
    yield estado[:-1] + alfabeto[alfabeto.find(estado[-1]) ^ 1]


@verificacao(18, "MRTR: argumentos trocados no retry não tomam efeito")
def v18(c):
    concluido(c.mcp.ferramenta("reservar_sala", pedido("sala-garagem", "09:00", "10:00", "Doc")))
    selados = pedido("sala-garagem", "09:00", "10:00", "Lorraine")
    pausa = c.mcp.pausar(selados)
    trocados = pedido("sala-garagem", "18:00", "19:00", "Biff")
    rpc = c.mcp.responder(pausa, aceitar("sala-fusca"), argumentos=trocados)
    if "error" in rpc.corpo:
        rpc.erro()
    elif rpc.resultado().get("isError") is not True:
        exigir_reserva(concluido(rpc), selados, "sala-fusca")
    for sala in ("sala-fusca", "sala-garagem"):
        c.mcp.exigir_livre(sala, "18:00", "19:00", livre=True)


@verificacao(19, "MRTR: decline conclui sem reservar e sem isError")
def v19(c):
    recusa = concluido(c.mcp.responder(c.deixado_por(13), {"action": "decline"}))
    exigir_texto(exigir_campos(recusa, {"reservado": False}, "uma recusa").get("motivo"), "um motivo")


@verificacao(20, "MRTR: conflito sem alternativas é isError com o texto exato")
def v20(c):
    mirante = pedido("sala-mirante", "11:00", "12:00", "Doc")
    exigir_reserva(concluido(c.mcp.ferramenta("reservar_sala", mirante)), mirante)
    exigir_erro_da_ferramenta(c.mcp.ferramenta("reservar_sala", mirante), SEM_ALTERNATIVAS)


@verificacao(21, "A2A: o Agent Card responde 200 com um card v1.0")
def v21(c):
    resposta = c.agente.card()
    exigir(resposta.status == 200, "HTTP 200", resposta.status)
    exigir(resposta.tipo == "application/json", "application/json", resposta.tipo)
    card = c.deixar(21, resposta.json())
    exigir(isinstance(card, dict), "um objeto JSON", card)
    exigir(isinstance(card.get("capabilities"), dict), "capabilities", card)
    for campo in ("name", "description", "version"):
        exigir_texto(card.get(campo), f"o campo obrigatório {campo}")
    for campo in ("supportedInterfaces", "defaultInputModes", "defaultOutputModes", "skills"):
        exigir(isinstance(card.get(campo), list) and card[campo], f"a lista obrigatória {campo}", card)


@verificacao(22, "A2A: o card declara a interface JSONRPC com URL e versão 1.0")
def v22(c):
    interfaces = c.deixado_por(21).get("supportedInterfaces")
    jsonrpc = [i for i in interfaces if i.get("protocolBinding") == "JSONRPC"]
    exigir(jsonrpc, "uma interface JSONRPC", interfaces)
    url = urlsplit(exigir_campos(jsonrpc[0], {"protocolVersion": "1.0"}, "a interface JSONRPC").get("url"))
    absoluta = url.scheme in ("http", "https") and url.netloc
    exigir(absoluta and url.path == c.caminho_a2a, f"a URL absoluta de {c.caminho_a2a}", jsonrpc)


@verificacao(23, "A2A: o card declara a skill reservar-sala")
def v23(c):
    skills = c.deixado_por(21).get("skills")
    skill = next((s for s in skills if s.get("id") == "reservar-sala"), None)
    exigir(skill, "uma skill de id reservar-sala", skills)
    completa = all(skill.get(campo) for campo in ("name", "description", "tags"))
    exigir(completa, "name, description e tags na skill", skill)


@verificacao(24, "A2A: sala livre termina em COMPLETED")
def v24(c):
    tarefa = c.deixar(24, c.agente.reservar(PORAO_9H, com_trace=True))
    tarefa.exigir_estado(COMPLETED)


@verificacao(25, "A2A: o artifact reserva traz a reserva e a versão da política")
def v25(c):
    exigir_reserva(c.deixado_por(24).artifact(), PORAO_9H)


@verificacao(26, "A2A: GetTask devolve id, contextId, estado e artifact")
def v26(c):
    original = c.deixado_por(24)
    tarefa = c.agente.obter(original)
    tarefa.exigir_estado(COMPLETED)
    exigir(tarefa.artifact() == original.artifact(), "o mesmo artifact", tarefa.task.get("artifacts"))


@verificacao(27, "Ponte: sala ocupada pausa a Task em INPUT_REQUIRED")
def v27(c):
    tarefa = c.deixar(27, c.agente.reservar(GARAGEM_14H, com_trace=True))
    tarefa.exigir_estado(INPUT_REQUIRED)


@verificacao(28, "Ponte: a pausa é a linha de alternativas, na ordem do enum")
def v28(c):
    c.deixado_por(27).exigir_pausa(LINHA_DA_GARAGEM)


@verificacao(29, "Ponte: escolha fora do enum mantém a pausa e repete a linha")
def v29(c):
    c.agente.continuar(c.deixado_por(27), "sala-aquario").exigir_pausa(LINHA_DA_GARAGEM)


@verificacao(30, "Ponte: a escolha conclui a Task na sala escolhida")
def v30(c):
    c.agente.continuar(c.deixado_por(27), "sala-fusca").exigir_concluida(GARAGEM_14H, "sala-fusca")


@verificacao(31, "A2A: mensagem a uma Task terminal é recusada com erro")
def v31(c):
    tarefa = c.deixado_por(27)
    c.agente.mandar("escolha=sala-fusca", tarefa).erro()
    c.agente.obter(tarefa).exigir_estado(COMPLETED)


@verificacao(32, "Ponte: escolha=recusar termina em CANCELED, sem reservar")
def v32(c):
    tarefa = c.agente.reservar(pedido("sala-garagem", "14:30", "15:30", "George"))
    tarefa.exigir_pausa("alternativas: sala-mirante")
    recusada = c.agente.continuar(tarefa, "recusar")
    recusada.exigir_estado(CANCELED)
    exigir(not recusada.task.get("artifacts"), "nenhum artifact", recusada.task.get("artifacts"))
    c.mcp.exigir_livre("sala-mirante", "14:30", "15:30", livre=True)


@verificacao(33, "Ponte: duas Tasks pausadas juntas terminam cada uma com a sua reserva")
def v33(c):
    pedidos = [FUSCA_16H, GARAGEM_14H]
    tarefas = [c.agente.reservar(argumentos) for argumentos in pedidos]
    for tarefa in tarefas:
        linha = tarefa.exigir_pausa()
        c.agente.obter(tarefa).exigir_pausa(linha)
    reservas = [
        c.agente.continuar(tarefa, "sala-mirante").exigir_concluida(argumentos, "sala-mirante")
        for tarefa, argumentos in zip(tarefas, pedidos)
    ]
    exigir(reservas[0]["reserva"] != reservas[1]["reserva"], "uma reserva diferente em cada Task", reservas)


@verificacao(34, "Ponte: nenhuma resposta A2A traz um requestState")
def v34(c):
    exigir(c.mcp.estados, "um requestState visto no MCP, para saber o que procurar", "nenhum")
    pausas = [resposta for resposta in c.agente.respostas if f'"{INPUT_REQUIRED}"' in resposta]
    exigir(pausas, "ao menos uma pausa, em que o agente guarda um requestState", "nenhuma")
    exigir_sem_vazamento(c.agente.respostas, c.mcp.estados)


@verificacao(35, "A2A: sala inexistente termina em FAILED com o texto exato")
def v35(c):
    tarefa = c.agente.reservar(pedido("sala-inexistente", "09:00", "10:00", "Marty"))
    tarefa.exigir_estado(FAILED)
    exigir_mensagem([tarefa.mensagem()], SALA_INEXISTENTE)
    exigir_mensagem(c.agente.obter(tarefa).historico(), SALA_INEXISTENTE)


@verificacao(36, "Ponte: o mesmo pedido duas vezes dá a mesma pausa, byte a byte")
def v36(c):
    linha = c.agente.reservar(PORAO_9H).exigir_pausa()
    c.agente.reservar(PORAO_9H).exigir_pausa(linha)


# ------------------------------------------------------------------------------------------------------------
# Execução

ULTIMA_DO_MCP = 20


def motivo_de_falha(funcao, cenario):
    """Roda uma verificação. Devolve None se passou, ou o motivo: nem um defeito dela derruba as outras."""
    try:
        funcao(cenario)
    except Falha as falha:
        return str(falha)
    except Exception as erro:  # uma resposta de forma imprevista também é uma falha, e não um traceback
        return f"esperada uma resposta na forma do contrato; veio outra ({resumo(repr(erro))})"
    return None


def motivo_de_inacessivel(nome, url):
    """Tenta abrir uma conexão. Devolve None se o serviço atende, ou o motivo."""
    partes = urlsplit(url)
    porta = partes.port or (443 if partes.scheme == "https" else 80)
    try:
        socket.create_connection((partes.hostname, porta), timeout=3).close()
    except OSError as erro:
        return f"{nome} não atende em {url} ({erro})"
    return None


def endereco(texto):
    """O argumento --agente ou --mcp: uma URL http(s), sem a barra do fim."""
    partes = urlsplit(texto)
    if partes.scheme not in ("http", "https") or not partes.hostname or partes.port == 0:
        raise argparse.ArgumentTypeError(f"deve ser uma URL http ou https; veio {texto!r}")
    return texto.rstrip("/")


def ler_opcoes():
    """Os argumentos da linha de comando."""
    leitor = argparse.ArgumentParser(description="Verifica o servidor MCP e o agente A2A de A Ponte.")
    leitor.add_argument("--agente", type=endereco, default="http://localhost:7300", help="URL base do agente")
    leitor.add_argument("--mcp", type=endereco, default="http://localhost:7301", help="URL base do servidor")
    leitor.add_argument("--caminho-mcp", default="/mcp", help="caminho do endpoint MCP")
    leitor.add_argument("--caminho-a2a", default="/a2a", help="caminho do endpoint A2A")
    leitor.add_argument("--prazo", type=float, default=10, help="segundos de espera por resposta")
    return leitor.parse_args()


def principal():
    """Roda as 36 verificações em ordem e devolve o código de saída."""
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    opcoes = ler_opcoes()
    cenario = Cenario(opcoes)
    print(f"trace-id: {cenario.trace_id}", flush=True)

    mcp_fora = motivo_de_inacessivel("o servidor MCP", opcoes.mcp)
    agente_fora = motivo_de_inacessivel("o agente", opcoes.agente)
    for fora in filter(None, (mcp_fora, agente_fora)):
        print(f"ERRO: {fora}. Suba o processo antes do validador (o README diz como).")

    passaram = 0
    for numero, titulo, funcao in VERIFICACOES:
        fora = mcp_fora if numero <= ULTIMA_DO_MCP else agente_fora
        motivo = fora or motivo_de_falha(funcao, cenario)
        passaram += motivo is None
        print(f"FAIL {numero:02} {titulo}: {motivo}" if motivo else f"PASS {numero:02} {titulo}", flush=True)

    total = len(VERIFICACOES)
    print(f"\n{passaram} de {total} verificações passaram, {total - passaram} falharam")
    if mcp_fora or agente_fora:
        return 2
    return 0 if passaram == total else 1


if __name__ == "__main__":
    sys.exit(principal())
