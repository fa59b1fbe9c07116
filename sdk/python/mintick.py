"""Client of Mintick, a self-hosted market-data service. One file, standard library only, Python 3.9 and newer.

    import mintick

    client = mintick.Client()  # reads MINTICK_URL and MINTICK_API_KEY
    for entry in client.entries.list(asset_key="AAPL"):
        print(entry["publishedAt"], entry["title"])

Records are dicts with the field names of the API. Times are timezone-aware datetimes in UTC, days are dates. Lists are
iterated over all pages, each requested when it is needed; .pandas() and .polars() return them as a data frame.
"""

from __future__ import annotations

import gzip
import hashlib
import http.client
import json
import os
import random
import re
import socket
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
import zlib
from datetime import date, datetime, timezone
from typing import (
    Any,
    Callable,
    Dict,
    Generic,
    Iterator,
    List,
    Literal,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    Type,
    TypedDict,
    TypeVar,
    Union,
)

T = TypeVar("T")
E = TypeVar("E")

Time = Union[datetime, date, str]
"""A time: an aware datetime, a day, or ISO 8601 text."""


class Unset:
    """The type of a field that is not sent, unlike None, which is sent as null."""

    def __repr__(self) -> str:
        return "UNSET"


UNSET = Unset()


class RateLimit(NamedTuple):
    """A rate limit of the key."""

    window: str
    remaining: int
    reset_seconds: int
    quota: int
    window_seconds: int


class Response:
    """Everything about an answer except its data."""

    def __init__(self, status: int, headers: Mapping[str, str]) -> None:
        number = lambda name: int(headers[name]) if headers.get(name, "").isdigit() else None  # noqa: E731
        self.status = status
        self.headers = headers
        self.request_id: Optional[str] = headers.get("x-request-id")
        self.credits_cost: Optional[int] = number("x-credits-cost")
        self.credits_remaining: Optional[int] = number("x-credits-remaining")
        self.rate_limits: List[RateLimit] = _rate_limits(headers)
        self.retry_after_seconds: Optional[int] = number("retry-after")
        self.is_replayed: bool = "idempotent-replayed" in headers
        self.ignored_parameters: Optional[str] = headers.get("x-ignored-parameters")
        self.notice: Optional[str] = headers.get("x-notice")


def _rate_limits(headers: Mapping[str, str]) -> List[RateLimit]:
    """Parses '"burst";r=14;t=6, "hour";r=99;t=3600' and the policy '"burst";q=15;w=90, "hour";q=100;w=3600'."""

    def items(name: str) -> Dict[str, Dict[str, int]]:
        return {
            window: {key: int(value) for key, value in re.findall(r"(\w+)=(\d+)", parts)}
            for window, parts in re.findall(r'"(\w+)"((?:;\w+=\d+)*)', headers.get(name, ""))
        }

    policies = items("ratelimit-policy")
    return [
        RateLimit(
            window,
            state.get("r", 0),
            state.get("t", 0),
            policies.get(window, {}).get("q", 0),
            policies.get(window, {}).get("w", 0),
        )
        for window, state in items("ratelimit").items()
    ]


class MintickError(Exception):
    """The base class of all errors of this module."""


class ApiError(MintickError):
    """An error that the service answered. Each code has a class of its own, such as NotFoundError."""

    def __init__(
        self,
        message: str,
        response: Response,
        code: Optional[str] = None,
        details: Sequence[Mapping[str, str]] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        """The stable code for programs; None if something else answered, such as a proxy."""
        self.status = response.status
        self.details = list(details)
        """The fields that failed validation, each with `field` and `message`."""
        self.request_id = response.request_id
        self.retry_after_seconds = response.retry_after_seconds
        self.response = response


class NetworkError(MintickError):
    """The service could not be reached, or the connection broke."""


class RequestTimeoutError(NetworkError):
    """Nothing arrived for as long as the timeout."""


class StreamGapError(MintickError):
    """Events of a stream were lost: they are no longer available. Iterating again continues after them."""

    def __init__(self, from_id: int, to_id: int) -> None:
        super().__init__(f"The events {from_id} to {to_id} of the stream are lost: they cannot be sent again")
        self.from_id = from_id
        self.to_id = to_id


class SecretLostError(MintickError):
    """The call succeeded, but the answer that had its secret was lost: secrets are sent once. `data` is the rest."""

    def __init__(self, secret: str, data: Any) -> None:
        super().__init__(f"The call succeeded, but its first answer, the only one with {secret}, was lost")
        self.data = data


class Rows(List[T]):
    """A list of records that can become a data frame."""

    def pandas(self) -> Any:
        """Returns the records as a pandas DataFrame."""
        return _imported("pandas").DataFrame.from_records(list(self))

    def polars(self) -> Any:
        """Returns the records as a polars DataFrame."""
        return _imported("polars").from_dicts(list(self), infer_schema_length=None)


def _imported(name: str) -> Any:
    try:
        return __import__(name)
    except ImportError as error:
        raise ImportError(f"This method needs {name}: pip install {name}") from error


class Page(Generic[T]):
    """A page of a list: its items and its place in the list."""

    def __init__(self, data: Rows[T], meta: Dict[str, Any]) -> None:
        self.data = data
        self.meta = meta


class Items(Generic[T]):
    """The items of a list. Iterating requests its pages one after the other and holds one of them."""

    def __init__(self, transport: _Transport, path: str, params: Mapping[str, Any]) -> None:
        self._transport = transport
        self._path = path
        self._params = params

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.data

    def page(self) -> Page[T]:
        """Requests the first page."""
        return next(self.pages())

    def pages(self) -> Iterator[Page[T]]:
        """Iterates over the pages."""
        params: Optional[Mapping[str, Any]] = self._params
        while params is not None:
            body = self._transport.send("GET", self._path, params)
            meta = body["meta"]
            yield Page(Rows(body["data"]), meta)
            params = _next_params(meta, params)

    def all(self) -> Rows[T]:
        """Returns the items of all pages."""
        return Rows(self)

    def pandas(self) -> Any:
        """Returns the items of all pages as a pandas DataFrame."""
        return self.all().pandas()

    def polars(self) -> Any:
        """Returns the items of all pages as a polars DataFrame."""
        return self.all().polars()


def _next_params(meta: Mapping[str, Any], params: Mapping[str, Any]) -> Optional[Dict[str, Any]]:
    """Returns the parameters of the next page; its field of meta is named after the parameter."""
    # The demo key gets no page but the first.
    if meta.get("plan") == "demo":
        return None
    is_descending = str(params.get("sortBy")).endswith(":desc")
    for name, value in meta.items():
        if not name.startswith("next") or value is None:
            continue
        if name == "nextCursor":
            return {**params, "after": value, "before": None}
        # Earlier items follow only in a descending order: an ascending answer without a start has the newest ones.
        if name.endswith("Before") and not is_descending:
            continue
        return {**params, name[4].lower() + name[5:]: value}
    return None


_SILENCE_SECONDS = 45
"""The service sends a heartbeat every 15 seconds."""
_MAX_STREAM_FAILURES = 10
_LONGEST_STREAM_DELAY = 30.0


class EventStream(Generic[E]):
    """A stream of events.

    It reconnects and resumes after the last event when the connection breaks or the service ends it, and raises an error
    if events are lost, the service refuses, or it stays away. Iterating again continues after the last event.
    """

    def __init__(self, transport: _Transport, path: str, params: Mapping[str, Any]) -> None:
        self.last_event_id: Optional[int] = params.get("lastEventId")
        """Id of the last event; to resume in another process, pass it as last_event_id."""
        self._transport = transport
        self._path = path
        self._params = {name: value for name, value in params.items() if name != "lastEventId"}

    def __iter__(self) -> Iterator[E]:
        failures = 0
        while True:
            delay: Optional[float] = None
            try:
                for event in self._connection():
                    # A connection that ends right after its first event has failed too.
                    if event["event"] != "ready":
                        failures = 0
                    if event["event"] == "closing":
                        # Without a time, the service will say why it refuses the key.
                        delay = (event["data"]["reconnectAfterMs"] or 0) / 1000
                    elif event["event"] not in ("ready", "heartbeat"):
                        yield event
                if delay is None:
                    raise NetworkError("The connection of the stream ended")
            except MintickError as error:
                delay = _retry_delay(error, failures, _LONGEST_STREAM_DELAY)
                if delay is None or failures >= _MAX_STREAM_FAILURES:
                    raise
            failures += 1
            time.sleep(delay)

    def _connection(self) -> Iterator[Any]:
        resumed_from = self.last_event_id
        headers = {"accept": "text/event-stream"}
        if resumed_from is not None:
            headers["last-event-id"] = str(resumed_from)
        with self._transport.open("GET", self._path, self._params, None, headers, _SILENCE_SECONDS) as response:
            fields: Dict[str, str] = {}
            while True:
                with _network_errors():
                    line = response.readline()
                if not line:
                    return
                name, _, value = line.decode().rstrip("\r\n").partition(": ")
                if name:
                    fields[name] = value
                    continue
                if "data" in fields:
                    event = {
                        "id": int(fields["id"]),
                        "event": fields["event"],
                        "data": _from_json(json.loads(fields["data"])),
                    }
                    self.last_event_id = event["id"]
                    _check_gap(event, resumed_from)
                    yield event
                fields = {}


def _check_gap(event: Mapping[str, Any], resumed_from: Optional[int]) -> None:
    if event["event"] == "gap":
        raise StreamGapError(event["data"]["fromId"], event["data"]["toId"])
    # A proxy that drops the header Last-Event-ID.
    if event["event"] == "ready" and resumed_from not in (None, event["data"]["resumedFrom"]):
        raise StreamGapError(int(resumed_from or 0) + 1, event["id"])


class _network_errors:
    """Turns the errors of sockets into those of this module."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, urllib.error.HTTPError):
            return
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        if isinstance(reason, socket.timeout):
            raise RequestTimeoutError("Nothing arrived for as long as the timeout") from error
        if isinstance(error, (OSError, http.client.HTTPException)):
            raise NetworkError(f"The service cannot be reached, or the connection broke: {reason!r}") from error


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Redirects are answered as errors: the key must not be sent elsewhere."""

    def redirect_request(self, *_: Any) -> None:
        return None


_TRANSIENT = (429, 500, 502, 503, 504)
_LONGEST_WAIT = 60


def _retry_delay(error: BaseException, attempt: int, longest: float = 8.0) -> Optional[float]:
    """Returns how many seconds to wait before another attempt; None if it would not help."""
    if isinstance(error, ApiError):
        if error.status not in _TRANSIENT:
            return None
        if error.retry_after_seconds is not None:
            return error.retry_after_seconds if error.retry_after_seconds <= _LONGEST_WAIT else None
    elif not isinstance(error, NetworkError):
        return None
    # Clients that failed together must not return together.
    return min(0.5 * 2**attempt, longest) * random.uniform(0.5, 1)


class _Transport:
    """Sends requests: adds the key, repeats what may be repeated, and turns failures into typed errors."""

    def __init__(self, url: str, token: str, timeout: float, max_retries: int) -> None:
        self._url = url.rstrip("/")
        self._token = token
        self._timeout = timeout
        self._max_retries = max_retries
        self._opener = urllib.request.build_opener(_NoRedirects)
        self.latest = threading.local()

    def send(
        self,
        method: str,
        path: str,
        params: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
        idempotency_key: Optional[str] = None,
        secret: Optional[str] = None,
    ) -> Any:
        """Sends a request and returns the body of its answer."""
        headers = {"accept": "application/json", "accept-encoding": "gzip"}
        # With a key the service runs a repeated POST once, so an attempt whose answer was lost is repeatable.
        if method == "POST":
            headers["idempotency-key"] = idempotency_key or uuid.uuid4().hex
        max_retries = 0 if method == "PATCH" else self._max_retries
        attempt = 0
        while True:
            try:
                answer = self._attempt(method, path, params, body, headers)
                break
            except MintickError as error:
                delay = _retry_delay(error, attempt)
                if attempt >= max_retries or delay is None:
                    raise
            attempt += 1
            time.sleep(delay)
        if secret is not None and self.latest.response.is_replayed and secret not in answer["data"]:
            raise SecretLostError(secret, answer["data"])
        return answer

    def _attempt(
        self,
        method: str,
        path: str,
        params: Optional[Mapping[str, Any]],
        body: Optional[Mapping[str, Any]],
        headers: Mapping[str, str],
    ) -> Any:
        with self.open(method, path, params, body, headers, self._timeout) as opened:
            with _network_errors():
                parsed = _parsed(opened)
        if not isinstance(parsed, dict) or "data" not in parsed:
            raise ApiError("The answer is none of the service", self.latest.response)
        return _from_json(parsed)

    def open(
        self,
        method: str,
        path: str,
        params: Optional[Mapping[str, Any]],
        body: Optional[Mapping[str, Any]],
        headers: Mapping[str, str],
        timeout: float,
    ) -> Any:
        """Sends a request once and returns the open answer; raises an ApiError if it is an error."""
        query = {name: _text(value) for name, value in (params or {}).items() if value is not None}
        url = self._url + path + ("?" + urllib.parse.urlencode(query) if query else "")
        sent = {name: value for name, value in (body or {}).items() if value is not UNSET}
        data = json.dumps(sent, default=_text).encode() if sent else None
        request = urllib.request.Request(url, data, {**headers, "authorization": "Bearer " + self._token}, method=method)
        if data is not None:
            request.add_header("content-type", "application/json")
        try:
            with _network_errors():
                opened = self._opener.open(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            with error:
                raise self._api_error(error) from None
        self._note(opened.status, opened.headers)
        return opened

    def _api_error(self, error: urllib.error.HTTPError) -> ApiError:
        response = self._note(error.code, error.headers)
        with _network_errors():
            parsed = _parsed(error)
        found = parsed.get("error") if isinstance(parsed, dict) else None
        code = found.get("code") if isinstance(found, dict) else None
        if code not in _ERROR_CLASSES:
            return ApiError(f"Status {error.code} with a body that is none of the service", response)
        return _ERROR_CLASSES[code](found.get("message", ""), response, code, found.get("details", ()))

    def _note(self, status: int, headers: Mapping[str, str]) -> Response:
        response = Response(status, {name.lower(): value for name, value in headers.items()})
        self.latest.response = response
        return response


def _parsed(opened: Any) -> Any:
    raw = opened.read()
    try:
        return json.loads(gzip.decompress(raw) if opened.headers.get("content-encoding") == "gzip" else raw)
    except (ValueError, EOFError, zlib.error):
        return None


def _text(value: Any) -> str:
    """Writes a parameter as the service reads it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone; use datetime.now(timezone.utc) or replace(tzinfo=...)")
        return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(map(_text, value))
    return str(value)


_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def _from_json(value: Any, name: str = "") -> Any:
    """Returns the value with its times and days parsed. The fields are known by their names."""
    if isinstance(value, dict):
        return {key: _from_json(member, key) for key, member in value.items()}
    if isinstance(value, list):
        return [_from_json(item) for item in value]
    if isinstance(value, str):
        if name in _TIME_FIELDS and _TIME.fullmatch(value):
            return datetime.fromisoformat(value[:-1]).replace(tzinfo=timezone.utc)
        if name in _DAY_FIELDS and _DAY.fullmatch(value):
            return date.fromisoformat(value)
    return value


def _segment(value: str) -> str:
    """Encodes a part of a path; refuses what would lead to another path."""
    if value in ("", ".", ".."):
        raise ValueError(f"{value!r} is not an id")
    return urllib.parse.quote(value, safe="")


_MAX_EXPORT_FAILURES = 5
_EXPORT_FORMATS = {".ndjson": "ndjson", ".jsonl": "ndjson", ".csv": "csv", ".parquet": "parquet"}


class ExportError(MintickError):
    """The service ended an export early, or its bytes are not those that were sent."""

    def __init__(self, message: str, status: str) -> None:
        super().__init__(message)
        self.status = status
        """Why it ended, such as credits_exhausted."""


class _Exports:
    """Exports of whole lists."""

    def __init__(self, transport: _Transport) -> None:
        self._transport = transport

    def download(
        self,
        dataset: str,
        file: str,
        *,
        progress: Optional[Callable[[int, int], None]] = None,
        **params: Any,
    ) -> int:
        """Writes all rows of a dataset, such as "entries" or "insider-trades", to a file, and returns their number.

        The ending of the file chooses the format: .ndjson, .csv or .parquet. params are the filters of the list, such as
        published_after. If the connection breaks, ndjson and csv go on after the last complete row, also in a later call
        with the same arguments: until it is complete, the file is beside its place, with the ending .part. Each part is
        compared with the checksum of the service. progress is called with the bytes of the file and the rows that match.
        """
        kind = _EXPORT_FORMATS.get(os.path.splitext(file)[1].lower())
        if kind is None:
            raise ValueError(f"{file!r} must end with one of {', '.join(_EXPORT_FORMATS)}")
        query = {re.sub(r"_(\w)", lambda found: found[1].upper(), name): value for name, value in params.items()}
        key = zlib.crc32(json.dumps([dataset, query], default=_text, sort_keys=True).encode())
        part = f"{file}.{key:x}.part"
        limit = query.pop("limit", None)
        failures = 0
        while True:
            rows, end, last = _tail(part, kind) if kind != "parquet" and os.path.exists(part) else (0, 0, None)
            if rows and last is None:
                raise ValueError(f"{part} has no ids, so it cannot be continued; remove it, and add id to fields")
            if limit is not None and rows >= limit:
                break
            try:
                more = {"after": last, "limit": None if limit is None else limit - rows}
                rows += self._append(dataset, part, end, {**query, **more, "format": kind}, progress)
                break
            except NetworkError as error:
                delay = _retry_delay(error, failures)
                # A repeated Parquet file would be paid for again.
                if kind == "parquet" or failures >= _MAX_EXPORT_FAILURES or delay is None:
                    raise
                failures = 0 if os.path.getsize(part) > end else failures + 1
            time.sleep(delay)
        os.replace(part, file)
        return rows

    def _append(
        self,
        dataset: str,
        part: str,
        end: int,
        params: Mapping[str, Any],
        progress: Optional[Callable[[int, int], None]],
    ) -> int:
        """Appends the answer to one request to a file, verifies it, and returns the number of its rows."""
        received, digest = 0, hashlib.sha256()
        broken: Optional[NetworkError] = None
        with open(part, "ab") as output:
            output.truncate(end)
            path = f"/api/v1/export/{_segment(dataset)}"
            with self._transport.open("GET", path, params, None, {}, _SILENCE_SECONDS) as opened:
                answer: Response = self._transport.latest.response
                total = int(answer.headers.get("x-total-count", 0))
                try:
                    while True:
                        with _network_errors():
                            chunk = opened.read(65536)
                        if not chunk:
                            break
                        output.write(chunk)
                        digest.update(chunk)
                        received += len(chunk)
                        if progress is not None:
                            progress(end + received, total)
                except NetworkError as error:
                    broken = error
        found = self._transport.send("GET", f"/api/v1/account/exports/{_segment(answer.request_id or '')}")["data"]
        if found["status"] in ("credits_exhausted", "key_revoked"):
            raise ExportError(f"The export ended early: {found['status']}", found["status"])
        if broken is not None or found["status"] != "complete" or found["bytes"] != received:
            raise broken or NetworkError("The connection of the export broke")
        if found["sha256"] != digest.hexdigest():
            raise ExportError("The checksum of the export is wrong", found["status"])
        rows: int = found["rows"]
        return rows


def _tail(path: str, kind: str) -> Tuple[int, int, Optional[str]]:
    """Returns the complete rows of a file: their number, where they end, and the id of the last one."""
    lines, end, quotes = 0, 0, 0
    header = last = b""
    line = b""
    with open(path, "rb") as file:
        for piece in file:
            line += piece
            quotes += piece.count(b'"') if kind == "csv" else 0
            # In CSV, line ends within quotes are part of a cell.
            if not piece.endswith(b"\n") or quotes % 2:
                continue
            header, last = header or line, line
            lines, end, line = lines + 1, end + len(line), b""
    rows = lines - 1 if kind == "csv" else lines
    if rows <= 0:
        return 0, 0, None
    if kind == "ndjson":
        return rows, end, json.loads(last).get("id")
    # The id is the first of the fields, and needs no quotes.
    return rows, end, last.split(b",")[0].decode() if header.split(b",")[0] == b"id" else None


class _Resource:
    def __init__(self, transport: _Transport) -> None:
        self._transport = transport


class _Client:
    def __init__(self, url: Optional[str], token: str, timeout: float, max_retries: int) -> None:
        url = url or os.environ.get("MINTICK_URL")
        if not url:
            raise ValueError("Pass url, or set MINTICK_URL to the address of the service")
        self._transport = _Transport(url, token, timeout, max_retries)

    @property
    def last_response(self) -> Optional[Response]:
        """Credits, rate limits and headers of the last answer in this thread."""
        return getattr(self._transport.latest, "response", None)


# ---- Generated by `npm run generate` from here on. Do not edit; change its source. ----


class BadRequestError(ApiError):
    """The request is malformed, or parameters or body fields are invalid: `error.details` names them. Also if the demo key requests more than 3 items or uses a paging parameter."""


class UnauthorizedError(ApiError):
    """The API key is missing, malformed, unknown, expired or revoked, or its account is suspended; the answer does not tell which. For the operator API: the token is missing or wrong."""


class InsufficientCreditsError(ApiError):
    """The balance is below the cost of the request. Nothing was executed or charged. For the demo key: the credits of this hour are used up; `Retry-After` says when they are refilled."""


class ForbiddenError(ApiError):
    """The plan does not include this feature or allows no more active keys, the key may not call this path (its `scopes`) or not from this address (its `allowedAddresses`), or the request needs a key other than the demo key. For the operator API: the token lacks the scope."""


class NotFoundError(ApiError):
    """The resource does not exist, or the route is unknown."""


class RateLimitExceededError(ApiError):
    """A rate limit of the plan, or the shared limit of the demo key, is exceeded, or the plan allows no more open real-time connections. No credits were charged; wait for the number of seconds in `Retry-After`."""


class InternalError(ApiError):
    """Something went wrong on the server. No credits were charged."""


_ERROR_CLASSES: Dict[Any, Type[ApiError]] = {
    "BAD_REQUEST": BadRequestError,
    "UNAUTHORIZED": UnauthorizedError,
    "INSUFFICIENT_CREDITS": InsufficientCreditsError,
    "FORBIDDEN": ForbiddenError,
    "NOT_FOUND": NotFoundError,
    "RATE_LIMIT_EXCEEDED": RateLimitExceededError,
    "INTERNAL_ERROR": InternalError,
}

_TIME_FIELDS = frozenset(
    "15m 1d 1h 1m 1mo 1w 30m 4h 5m at closeAt closedAt createdAt currentPeriodEnd currentPeriodStart deletedAt effectiveAt end endedAt evaluatedAt expiresAt filedAt firstEntryAt firstPublishedAt from generatedAt historyStartAt knownSince lastEntryAt lastPriceAt lastPublishedAt lastRunAt lastSuccessAt lastUsedAt newestAt nextAttemptAt nextGrantAt nextOpenedAfter nextOpenedBefore nextPublishedAfter nextRunAt oldSecretExpiresAt openAt openedAt periodEnd periodStart processedAt publishedAfter publishedAt publishedBefore receivedAt resetAt resolvedAt revokedAt serverTime start startedAt time updatedAt".split()
)
_DAY_FIELDS = frozenset(
    "approxSaleDate date day eventDate exerciseDate expirationDate filingDate firstSaleDate from periodEnd periodOfReport periodStart to transactionDate".split()
)

class AccountPlan(TypedDict):
    """The plan, with the values agreed for this account."""

    slug: str
    name: str
    priceUsd: Optional[float]
    requestsPerMinute: int
    requestsPerHour: int
    requestsPerDay: int
    burst: int
    signupCredits: Optional[int]
    monthlyCredits: Optional[int]
    creditMultiplier: Optional[float]
    secData: bool
    realtimeConnections: int
    bulkExport: bool
    prioritySupport: Optional[bool]
    customKeyExpiration: bool
    maxApiKeys: int


class _AccountCreditsOptional(TypedDict, total=False):
    owed: int


class AccountCredits(_AccountCreditsOptional):
    """The balance and where it comes from."""

    balance: int
    monthlyRemaining: int
    grantedRemaining: int
    purchasedRemaining: int
    usedThisPeriod: int
    periodStart: datetime
    periodEnd: datetime
    nextGrantAt: Optional[datetime]


class AccountApiKeys(TypedDict):
    """API keys of the account."""

    active: int
    max: int


class AccountRealtimeConnections(TypedDict):
    """Streams of the account, of signals and of entries."""

    open: int
    max: int


class Account(TypedDict):
    """The account of the API key."""

    id: str
    name: Optional[str]
    email: Optional[str]
    isDemo: bool
    plan: AccountPlan
    balance: int
    credits: AccountCredits
    apiKeys: AccountApiKeys
    realtimeConnections: AccountRealtimeConnections
    createdAt: datetime


class AccountAlertsLastFailure(TypedDict):
    """Present only if the last attempt to deliver a message failed."""

    reason: str
    at: datetime


class _AccountAlertsOptional(TypedDict, total=False):
    lastFailure: AccountAlertsLastFailure


class AccountAlerts(_AccountAlertsOptional):
    """How the account is told about a low balance."""

    lowBalance: Optional[int]
    isBelow: bool
    webhookUrl: Optional[str]
    email: bool


class _AccountApiKeyOptional(TypedDict, total=False):
    inactiveReason: Literal["plan_limit"]
    scopes: List[Literal["data", "account", "billing"]]
    allowedAddresses: List[str]
    oldSecretExpiresAt: datetime


class AccountApiKey(_AccountApiKeyOptional):
    """An API key, without its secret."""

    id: str
    name: str
    keyPrefix: str
    isActive: bool
    expiresAt: Optional[datetime]
    lastUsedAt: Optional[datetime]
    createdAt: datetime


class _AccountCostCostOptional(TypedDict, total=False):
    perMinute: int
    perRows: int


class AccountCostCost(_AccountCostCostOptional):
    base: int
    parameter: Optional[str]
    multiplier: float


class AccountCostLimits(TypedDict):
    window: Literal["burst", "hour", "day"]
    limit: int
    used: int
    remaining: int
    resetAt: datetime


class AccountCostErrorDetails(TypedDict):
    field: str
    message: str


class _AccountCostErrorOptional(TypedDict, total=False):
    details: List[AccountCostErrorDetails]
    retryAfterSeconds: int


class AccountCostError(_AccountCostErrorOptional):
    statusCode: int
    code: str
    message: str


class AccountCost(TypedDict):
    """What a call would cost, and whether it would pass."""

    method: str
    path: str
    endpoint: Optional[str]
    wouldPass: bool
    credits: Optional[int]
    cost: Optional[AccountCostCost]
    available: int
    limits: List[AccountCostLimits]
    error: Optional[AccountCostError]


class AccountExport(TypedDict):
    """A bulk export."""

    requestId: str
    dataset: str
    format: Literal["ndjson", "csv", "parquet"]
    status: Literal["running", "complete", "disconnected", "stalled", "credits_exhausted", "key_revoked", "shutdown", "failed", "interrupted"]
    rows: int
    bytes: int
    sha256: Optional[str]
    credits: int
    startedAt: datetime
    endedAt: Optional[datetime]


class AccountLog(TypedDict):
    """A request of the account."""

    id: str
    requestId: str
    apiKeyId: str
    keyPrefix: str
    route: Optional[str]
    method: str
    path: str
    query: Optional[str]
    statusCode: int
    errorCode: Optional[str]
    creditsCharged: int
    durationMs: float
    responseBytes: int
    createdAt: datetime


class AccountUsagePeriod(TypedDict):
    """The current billing month, or the range asked for, in which usage is counted; of its first and last UTC day, rateLimited counts all."""

    start: datetime
    end: datetime


class AccountUsageCredits(TypedDict):
    """Credits of the account."""

    used: int
    balance: int


class AccountUsageRequests(TypedDict):
    """Requests of all keys of the account in the period."""

    total: int
    succeeded: int
    failed: int
    rateLimited: int


class AccountUsageLimits(TypedDict):
    window: Literal["burst", "hour", "day"]
    limit: int
    used: int
    remaining: int
    resetAt: datetime


class AccountUsageByKey(TypedDict):
    apiKeyId: str
    keyPrefix: str
    name: str
    requests: int
    failed: int
    credits: int


class AccountUsageByEndpoint(TypedDict):
    endpoint: str
    requests: int
    failed: int
    credits: int


class AccountUsageDaily(TypedDict):
    date: date
    requests: int
    failed: int
    credits: int


class _AccountUsageGroupsOptional(TypedDict, total=False):
    date: date
    apiKeyId: str
    endpoint: str


class AccountUsageGroups(_AccountUsageGroupsOptional):
    requests: int
    failed: int
    credits: int


class AccountUsageStream(TypedDict):
    """Usage of streams in the period, which credits.used includes."""

    minutes: int
    credits: int


class _AccountUsageOptional(TypedDict, total=False):
    groups: List[AccountUsageGroups]


class AccountUsage(_AccountUsageOptional):
    """Usage of the account in its current billing month, or in a range of time."""

    balance: int
    period: AccountUsagePeriod
    credits: AccountUsageCredits
    requests: AccountUsageRequests
    limits: List[AccountUsageLimits]
    byKey: List[AccountUsageByKey]
    byEndpoint: List[AccountUsageByEndpoint]
    daily: List[AccountUsageDaily]
    stream: AccountUsageStream


class _AdminAccountOverridesOptional(TypedDict, total=False):
    priceUsd: float
    requestsPerMinute: int
    requestsPerHour: int
    requestsPerDay: int
    burst: int
    signupCredits: int
    monthlyCredits: int
    creditMultiplier: float
    secData: bool
    realtimeConnections: int
    bulkExport: bool
    prioritySupport: bool
    customKeyExpiration: bool
    maxApiKeys: int


class AdminAccountOverrides(_AdminAccountOverridesOptional):
    """Values that replace those of the plan for this account."""

    pass


class AdminAccountEffectivePlan(TypedDict):
    """The plan, with the values agreed for this account."""

    slug: str
    name: str
    priceUsd: Optional[float]
    requestsPerMinute: int
    requestsPerHour: int
    requestsPerDay: int
    burst: int
    signupCredits: Optional[int]
    monthlyCredits: Optional[int]
    creditMultiplier: Optional[float]
    secData: bool
    realtimeConnections: int
    bulkExport: bool
    prioritySupport: Optional[bool]
    customKeyExpiration: bool
    maxApiKeys: int


class AdminAccountLots(TypedDict):
    kind: Literal["monthly", "signup", "pack", "adjustment", "demo"]
    granted: int
    remaining: int
    createdAt: datetime
    expiresAt: Optional[datetime]


class AdminAccountSubscription(TypedDict):
    id: str
    planSlug: str
    status: str
    currentPeriodEnd: datetime


class AdminAccount(TypedDict):
    """An account with its subscription."""

    id: str
    email: Optional[str]
    name: Optional[str]
    plan: str
    overrides: AdminAccountOverrides
    isActive: bool
    suspendedReason: Optional[str]
    isDemo: bool
    balance: int
    createdAt: datetime
    deletedAt: Optional[datetime]
    effectivePlan: AdminAccountEffectivePlan
    lots: List[AdminAccountLots]
    owed: int
    subscription: Optional[AdminAccountSubscription]


class AdminAccountApiKey(TypedDict):
    """The new key."""

    id: str
    name: str
    apiKey: str


class AdminAccountExport(TypedDict):
    """Everything that is stored about an account."""

    account: Dict[str, Any]
    users: List[Dict[str, Any]]
    sessions: List[Dict[str, Any]]
    apiKeys: List[Dict[str, Any]]
    subscriptions: List[Dict[str, Any]]
    checkouts: List[Dict[str, Any]]
    purchases: List[Dict[str, Any]]
    reversals: List[Dict[str, Any]]
    lots: List[Dict[str, Any]]
    usage: List[Dict[str, Any]]
    streams: List[Dict[str, Any]]
    bulkExports: List[Dict[str, Any]]
    balanceAlerts: List[Dict[str, Any]]
    alertDeliveries: List[Dict[str, Any]]
    idempotentRequests: List[Dict[str, Any]]
    auditTrail: List[Dict[str, Any]]
    transfers: List[Dict[str, Any]]
    meteredCharges: List[Dict[str, Any]]
    requests: List[Dict[str, Any]]
    next: Optional[str]


class _AdminAccountItemOverridesOptional(TypedDict, total=False):
    priceUsd: float
    requestsPerMinute: int
    requestsPerHour: int
    requestsPerDay: int
    burst: int
    signupCredits: int
    monthlyCredits: int
    creditMultiplier: float
    secData: bool
    realtimeConnections: int
    bulkExport: bool
    prioritySupport: bool
    customKeyExpiration: bool
    maxApiKeys: int


class AdminAccountItemOverrides(_AdminAccountItemOverridesOptional):
    """Values that replace those of the plan for this account."""

    pass


class AdminAccountItem(TypedDict):
    """An account."""

    id: str
    email: Optional[str]
    name: Optional[str]
    plan: str
    overrides: AdminAccountItemOverrides
    isActive: bool
    suspendedReason: Optional[str]
    isDemo: bool
    balance: int
    createdAt: datetime
    deletedAt: Optional[datetime]


class AdminAudit(TypedDict):
    """The result of the audit."""

    isBalanced: bool
    accounts: int
    charges: int
    problems: List[str]


class AdminAuditTrail(TypedDict):
    """A request of an operator."""

    requestId: str
    token: str
    method: str
    route: str
    target: Optional[str]
    summary: Optional[str]
    statusCode: Optional[int]
    createdAt: datetime


class AdminEntry(TypedDict):
    """The removed entry."""

    id: str
    removed: bool


class AdminHealthStore(TypedDict):
    bytes: Dict[str, int]
    entriesToIndex: int
    sourcesDue: int
    alertsToSend: int
    paymentEventsToProcess: int
    hasSample: bool


class AdminHealth(TypedDict):
    """Health of this instance."""

    isReady: bool
    problems: List[str]
    version: str
    engine: Literal["sqlite", "postgres"]
    startedAt: datetime
    uptimeSeconds: int
    store: Optional[AdminHealthStore]


class AdminImportEntryRefused(TypedDict):
    index: int
    reason: str
    field: Optional[str]
    value: Optional[str]


class AdminImportEntryUnknownFields(TypedDict):
    field: str
    rows: int
    suggestion: Optional[str]


class AdminImportEntry(TypedDict):
    """What became of the rows."""

    added: int
    changed: int
    known: int
    refused: List[AdminImportEntryRefused]
    unknownFields: List[AdminImportEntryUnknownFields]


class AdminPaymentEvent(TypedDict):
    """An event of the payment processor."""

    id: str
    type: str
    subjectKind: Literal["checkout", "invoice", "subscription", "payment"]
    subjectId: str
    receivedAt: datetime
    processedAt: Optional[datetime]
    attempts: int
    nextAttemptAt: Optional[datetime]
    error: Optional[str]


class AdminReindex(TypedDict):
    """Progress of reindexing."""

    isRunning: bool
    done: int
    total: int
    changed: int
    error: Optional[str]
    isPaused: bool
    older: int
    entries: int


class AdminSampleClearRemoved(TypedDict):
    """Records that this request removed."""

    entries: int
    publishers: int
    markets: int
    predictionMarkets: int
    secRecords: int
    signals: int


class AdminSampleClear(TypedDict):
    """Progress of the removal."""

    isDone: bool
    removed: AdminSampleClearRemoved


class AdminSignInLink(TypedDict):
    """The link."""

    url: str
    expiresAt: datetime


AdminSource = TypedDict(
    "AdminSource",
    {
        "id": "str",
        "kind": "str",
        "address": "str",
        "from": "str",
        "options": "Dict[str, Any]",
        "status": "Literal['active', 'paused', 'failing', 'stopped']",
        "lastRunAt": "Optional[datetime]",
        "lastSuccessAt": "Optional[datetime]",
        "nextRunAt": "Optional[datetime]",
        "everySeconds": "int",
        "added": "int",
        "changed": "int",
        "rejected": "int",
        "rejections": "Dict[str, int]",
        "lagSeconds": "Optional[int]",
        "failures": "int",
        "error": "Optional[str]",
        "state": "Dict[str, Any]",
    },
)

class AdminSourceKindsKinds(TypedDict):
    kind: str
    brings: Literal["news", "candles", "prediction-markets", "filings", "signals"]
    options: Dict[str, Any]


class AdminSourceKinds(TypedDict):
    """What can be added."""

    kinds: List[AdminSourceKindsKinds]
    presets: List[str]


class AdminToken(TypedDict):
    """A further admin token."""

    name: str
    scope: Literal["read", "support", "owner"]
    prefix: str
    createdBy: str
    createdAt: datetime
    revokedAt: Optional[datetime]


class AdminTrafficInstance(TypedDict):
    """The instance that answers."""

    host: str
    pid: int
    startedAt: datetime


class AdminTrafficMinutes(TypedDict):
    at: datetime
    seconds: float
    requests: int
    clientErrors: int
    serverErrors: int
    p50Ms: Optional[float]
    p99Ms: Optional[float]
    credits: int
    streams: int
    eventLoopDelayMs: float
    memoryBytes: int


class AdminTrafficRoutes(TypedDict):
    route: str
    requests: int
    clientErrors: int
    serverErrors: int
    p50Ms: Optional[float]
    p99Ms: Optional[float]


class AdminTraffic(TypedDict):
    """The traffic of one instance."""

    instance: AdminTrafficInstance
    minutes: List[AdminTrafficMinutes]
    routes: List[AdminTrafficRoutes]


AssetFormerSymbols = TypedDict(
    "AssetFormerSymbols",
    {
        "symbol": "str",
        "from": "Optional[date]",
        "to": "Optional[date]",
    },
)

class Asset(TypedDict):
    """A security, index, crypto asset, pair of currencies or commodity."""

    id: str
    key: str
    symbol: str
    name: str
    type: Literal["equity", "etf", "index", "crypto", "currency", "commodity", "other"]
    status: Literal["active", "delisted"]
    exchange: Optional[str]
    countryCode: Optional[str]
    currency: Optional[str]
    cik: Optional[str]
    isin: Optional[str]
    figi: Optional[str]
    lei: Optional[str]
    aliases: List[str]
    formerSymbols: List[AssetFormerSymbols]
    sector: Optional[str]
    industry: Optional[str]
    description: Optional[str]
    websiteUrl: Optional[str]
    marketIds: List[str]
    entryCount24h: int
    entryCount7d: int
    sentimentScore24h: Optional[float]
    sentimentScore7d: Optional[float]
    lastEntryAt: Optional[datetime]
    createdAt: datetime
    updatedAt: datetime


class BillingCheckout(TypedDict):
    """The state of a checkout."""

    sessionId: str
    status: Literal["open", "processing", "paid", "failed", "expired"]
    packageId: Optional[str]
    planSlug: Optional[str]
    checkoutUrl: Optional[str]
    createdAt: datetime


class BillingHistory(TypedDict):
    """A change of the balance."""

    id: str
    type: Literal["purchase", "subscription", "grant", "usage", "refund", "adjustment", "expiry"]
    description: str
    credits: int
    balanceAfter: int
    amountUsd: Optional[float]
    packageId: Optional[str]
    planSlug: Optional[str]
    sessionId: Optional[str]
    requestId: Optional[str]
    createdAt: datetime


class BillingPackage(TypedDict):
    """A credit pack for sale."""

    id: str
    name: str
    credits: int
    priceUsd: float
    pricePerCreditUsd: float
    discountPercent: float


class BillingPlan(TypedDict):
    """A standard plan."""

    slug: str
    name: str
    priceUsd: Optional[float]
    requestsPerMinute: int
    requestsPerHour: int
    requestsPerDay: int
    burst: int
    signupCredits: Optional[int]
    monthlyCredits: Optional[int]
    creditMultiplier: Optional[float]
    secData: bool
    realtimeConnections: int
    bulkExport: bool
    prioritySupport: Optional[bool]
    customKeyExpiration: bool
    maxApiKeys: int
    isCurrent: bool


class BillingPortal(TypedDict):
    """A link to the portal."""

    portalUrl: str


class BillingSubscription(TypedDict):
    """A subscription to a plan."""

    id: str
    planSlug: str
    status: str
    currentPeriodStart: datetime
    currentPeriodEnd: datetime
    cancelAtPeriodEnd: bool
    pendingPlanSlug: Optional[str]
    createdAt: datetime


class BillingSubscriptionChangeChange(TypedDict):
    """The change of plan."""

    planSlug: str
    isPreview: bool
    effectiveAt: datetime
    amountDueUsd: float
    credits: int


class BillingSubscriptionChange(TypedDict):
    """A subscription with the change of its plan."""

    id: str
    planSlug: str
    status: str
    currentPeriodStart: datetime
    currentPeriodEnd: datetime
    cancelAtPeriodEnd: bool
    pendingPlanSlug: Optional[str]
    createdAt: datetime
    change: BillingSubscriptionChangeChange


class Change(TypedDict):
    """An insert, a revision or a removal of a record."""

    id: int
    type: Literal["entry", "filing", "market", "prediction-market"]
    dataset: Optional[Literal["insider-trades", "financial-filings", "institutional-holdings", "beneficial-ownership", "private-placements", "planned-sales", "material-events"]]
    action: Literal["insert", "revision", "removal"]
    recordId: str
    at: datetime
    record: Optional[Union[ExportEntries, Market, PredictionMarketItem, SecInsiderTrade, SecFinancialFilingItem, SecInstitutionalHolding, SecBeneficialOwnership, SecPrivatePlacement, SecPlannedSale, SecMaterialEvent]]


class ClusterTimeline(TypedDict):
    at: datetime
    count: int


class Cluster(TypedDict):
    """A cluster with its entries."""

    id: str
    title: str
    summary: Optional[str]
    entryCount: int
    publisherCount: int
    representativeEntryId: str
    firstPublishedAt: datetime
    lastPublishedAt: datetime
    sentimentScore: Optional[float]
    sentimentDispersion: Optional[float]
    assetKeys: List[str]
    topicSlugs: List[str]
    languages: List[str]
    velocity: float
    importanceScore: float
    status: Literal["active", "closed"]
    createdAt: datetime
    updatedAt: datetime
    entries: List[ExportEntries]
    timeline: List[ClusterTimeline]


class ClusterItem(TypedDict):
    """Entries of several publishers about the same event."""

    id: str
    title: str
    summary: Optional[str]
    entryCount: int
    publisherCount: int
    representativeEntryId: str
    firstPublishedAt: datetime
    lastPublishedAt: datetime
    sentimentScore: Optional[float]
    sentimentDispersion: Optional[float]
    assetKeys: List[str]
    topicSlugs: List[str]
    languages: List[str]
    velocity: float
    importanceScore: float
    status: Literal["active", "closed"]
    createdAt: datetime
    updatedAt: datetime


class _CreatedAccountApiKeyOptional(TypedDict, total=False):
    inactiveReason: Literal["plan_limit"]
    scopes: List[Literal["data", "account", "billing"]]
    allowedAddresses: List[str]
    oldSecretExpiresAt: datetime


class CreatedAccountApiKey(_CreatedAccountApiKeyOptional):
    """A new API key with its secret."""

    id: str
    name: str
    keyPrefix: str
    isActive: bool
    expiresAt: Optional[datetime]
    lastUsedAt: Optional[datetime]
    createdAt: datetime
    apiKey: str


class CreatedAdminAccount(TypedDict):
    """The new account with its key."""

    account: AdminAccountItem
    apiKey: str


class CreatedAdminSourceFound(TypedDict):
    url: str
    title: Optional[str]
    language: Optional[str]
    items: int
    newestAt: Optional[datetime]
    others: List[str]
    warning: Optional[str]


class CreatedAdminSource(TypedDict):
    """The added sources."""

    sources: List[AdminSource]
    found: Optional[CreatedAdminSourceFound]
    warning: Optional[str]


class CreatedAdminToken(TypedDict):
    """The new token."""

    name: str
    scope: Literal["read", "support", "owner"]
    prefix: str
    createdBy: str
    createdAt: datetime
    revokedAt: Optional[datetime]
    token: str


class CreatedBillingCheckout(TypedDict):
    """A checkout to be paid."""

    checkoutUrl: str
    sessionId: str


class _CursorMetaOptional(TypedDict, total=False):
    mode: Literal["semantic", "words"]
    plan: str


class CursorMeta(_CursorMetaOptional):
    """The place of this page in a list paged by cursor."""

    totalCount: int
    count: int
    limit: int
    hasMore: bool
    hasPrev: bool
    nextCursor: Optional[str]
    prevCursor: Optional[str]
    sort: str
    query: Optional[str]


class DeletedAdminAccount(TypedDict):
    """The deleted account."""

    id: str
    deletedAt: datetime


class DeletedAdminSource(TypedDict):
    """The removed source."""

    id: str
    removed: bool


class EntryEntitiesMentions(TypedDict):
    field: Literal["title", "content"]
    start: int
    end: int
    text: str


class EntryEntities(TypedDict):
    assetKey: str
    name: str
    type: Literal["equity", "etf", "index", "crypto", "currency", "commodity", "other"]
    relevanceScore: float
    sentimentScore: Optional[float]
    mentions: List[EntryEntitiesMentions]


class EntryPublisher(TypedDict):
    """With include=publisher: its publisher."""

    id: str
    slug: str
    name: str
    domain: str
    homepageUrl: Optional[str]
    description: Optional[str]
    countryCode: Optional[str]
    language: Optional[str]
    type: Literal["newswire", "newspaper", "magazine", "broadcaster", "blog", "press_release", "regulator", "aggregator"]
    isPaywalled: Optional[bool]
    entryCount: int
    entryCount24h: int
    firstEntryAt: Optional[datetime]
    lastEntryAt: Optional[datetime]
    isActive: bool
    createdAt: datetime
    updatedAt: datetime


class _EntryOptional(TypedDict, total=False):
    entities: List[EntryEntities]
    publisher: EntryPublisher
    score: float
    cluster: Optional[ClusterItem]


class Entry(_EntryOptional):
    """A news item, with the parts that include names."""

    id: str
    title: str
    excerpt: Optional[str]
    url: str
    urlDomain: str
    author: Optional[str]
    imageUrl: Optional[str]
    language: Optional[str]
    sentimentScore: Optional[float]
    assetKeys: List[str]
    topicSlugs: List[str]
    publishedAt: datetime
    createdAt: datetime


class EntryCount(TypedDict):
    """The entries of one interval."""

    at: datetime
    count: int
    sentimentScore: Optional[float]


class EntryStreamReadyData(TypedDict):
    """The first event."""

    connectionId: str
    plan: str
    serverTime: datetime
    resumedFrom: Optional[int]
    replayCount: int
    creditsPerMinute: int


class EntryStreamReady(TypedDict):
    id: int
    event: Literal["ready"]
    data: EntryStreamReadyData


class EntryStreamEntryData(TypedDict):
    """A new or changed entry."""

    entry: ExportEntries
    change: Literal["new", "updated"]


class EntryStreamEntry(TypedDict):
    id: int
    event: Literal["entry"]
    data: EntryStreamEntryData


class EntryStreamHeartbeatData(TypedDict):
    """Shows that the stream is alive."""

    at: datetime


class EntryStreamHeartbeat(TypedDict):
    id: int
    event: Literal["heartbeat"]
    data: EntryStreamHeartbeatData


class EntryStreamGapData(TypedDict):
    """Missed events that cannot be sent again. If the service was restored from a backup, fromId follows its last event, and others that you missed may be lost as well."""

    fromId: int
    toId: int


class EntryStreamGap(TypedDict):
    id: int
    event: Literal["gap"]
    data: EntryStreamGapData


class EntryStreamClosingData(TypedDict):
    """The last event, before the service closes the stream."""

    reason: Literal["rotation", "slow_consumer", "key_revoked", "plan_changed", "credits_exhausted", "shutdown"]
    reconnectAfterMs: Optional[int]


class EntryStreamClosing(TypedDict):
    id: int
    event: Literal["closing"]
    data: EntryStreamClosingData


EntryStream = Union[EntryStreamReady, EntryStreamEntry, EntryStreamHeartbeat, EntryStreamGap, EntryStreamClosing]

class ExportEntries(TypedDict):
    """A news item."""

    id: str
    title: str
    excerpt: Optional[str]
    url: str
    urlDomain: str
    author: Optional[str]
    imageUrl: Optional[str]
    language: Optional[str]
    sentimentScore: Optional[float]
    assetKeys: List[str]
    topicSlugs: List[str]
    publishedAt: datetime
    createdAt: datetime


class ExportFile(TypedDict):
    """A file with the records of a dataset on one day. It never changes."""

    id: str
    dataset: str
    day: date
    format: Literal["parquet"]
    rows: int
    bytes: int
    sha256: str
    credits: int
    isPaid: bool
    supersedes: Optional[str]
    supersededBy: Optional[str]
    createdAt: datetime


class Health(TypedDict):
    """Health of this server."""

    status: Literal["ok"]
    uptimeSeconds: int
    time: datetime


class Market(TypedDict):
    """A market for an asset, with its last price."""

    id: str
    symbol: str
    name: str
    assetId: str
    assetKey: str
    type: Literal["stock", "etf", "index", "crypto", "fx", "commodity"]
    venue: str
    baseCurrency: Optional[str]
    quoteCurrency: str
    timezone: str
    status: Literal["active", "inactive"]
    lastPrice: Optional[float]
    lastPriceAt: Optional[datetime]
    previousClose: Optional[float]
    change: Optional[float]
    changePercent: Optional[float]
    dayOpen: Optional[float]
    dayHigh: Optional[float]
    dayLow: Optional[float]
    dayVolume: Optional[float]
    intervals: List[Literal["1m", "5m", "15m", "30m", "1h", "4h", "1d", "1w", "1mo"]]
    historyStartAt: Optional[datetime]
    createdAt: datetime
    updatedAt: datetime


class MarketCandle(TypedDict):
    """Prices of a market within an interval."""

    openedAt: datetime
    closedAt: datetime
    open: float
    high: float
    low: float
    close: float
    volume: float
    quoteVolume: Optional[float]
    vwap: Optional[float]
    tradeCount: Optional[int]
    isClosed: bool


class MarketChartPoints(TypedDict):
    at: datetime
    price: float
    volume: Optional[float]


class MarketChart(TypedDict):
    """Prices of a market over a range."""

    marketId: str
    symbol: str
    currency: str
    timezone: str
    range: Literal["1d", "5d", "1mo", "3mo", "6mo", "ytd", "1y", "5y", "max"]
    interval: Literal["1m", "5m", "15m", "30m", "1h", "4h", "1d", "1w", "1mo"]
    previousClose: Optional[float]
    points: List[MarketChartPoints]


class OffsetMeta(TypedDict):
    """The place of this page in a list paged by offset."""

    totalCount: int
    count: int
    limit: int
    offset: int
    hasMore: bool
    prevOffset: Optional[int]
    nextOffset: Optional[int]


class _PageMetaOptional(TypedDict, total=False):
    plan: str


class PageMeta(_PageMetaOptional):
    """The place of this page in a list paged by number."""

    totalCount: int
    count: int
    limit: int
    page: int
    totalPages: int
    prevPage: Optional[int]
    nextPage: Optional[int]
    hasMore: bool
    sort: str
    query: Optional[str]


class PredictionMarketOutcomes(TypedDict):
    id: str
    label: str
    probability: Optional[float]
    bestBid: Optional[float]
    bestAsk: Optional[float]
    lastPrice: Optional[float]
    priceChange24h: Optional[float]
    isWinner: Optional[bool]


class PredictionMarketHistoryPoints(TypedDict):
    at: datetime
    probabilities: Dict[str, float]


class PredictionMarketHistory(TypedDict):
    """Earlier odds."""

    interval: Literal["1h", "6h", "1d", "1w"]
    points: List[PredictionMarketHistoryPoints]


class PredictionMarketRelatedMarkets(TypedDict):
    id: str
    slug: str
    question: str
    status: Literal["open", "closed", "resolved", "cancelled"]
    probability: Optional[float]


class PredictionMarket(TypedDict):
    """A prediction market with its rules and history."""

    id: str
    slug: str
    venue: Literal["polymarket", "kalshi", "manifold"]
    venueMarketId: str
    eventTitle: Optional[str]
    url: str
    imageUrl: Optional[str]
    question: str
    description: Optional[str]
    category: Optional[str]
    topicSlugs: List[str]
    assetKeys: List[str]
    type: Literal["binary", "categorical", "scalar"]
    status: Literal["open", "closed", "resolved", "cancelled"]
    isRealMoney: bool
    currency: str
    probability: Optional[float]
    outcomes: List[PredictionMarketOutcomes]
    volume: float
    volume24h: Optional[float]
    liquidity: Optional[float]
    openInterest: Optional[float]
    priceChange24h: Optional[float]
    priceChange7d: Optional[float]
    openAt: Optional[datetime]
    closeAt: Optional[datetime]
    resolvedAt: Optional[datetime]
    resolution: Optional[str]
    createdAt: datetime
    updatedAt: datetime
    rules: Optional[str]
    resolutionSource: Optional[str]
    history: PredictionMarketHistory
    relatedMarkets: List[PredictionMarketRelatedMarkets]
    relatedEntryIds: List[str]


class PredictionMarketItemOutcomes(TypedDict):
    id: str
    label: str
    probability: Optional[float]
    bestBid: Optional[float]
    bestAsk: Optional[float]
    lastPrice: Optional[float]
    priceChange24h: Optional[float]
    isWinner: Optional[bool]


class PredictionMarketItem(TypedDict):
    """A market on the outcome of an event, traded at a venue."""

    id: str
    slug: str
    venue: Literal["polymarket", "kalshi", "manifold"]
    venueMarketId: str
    eventTitle: Optional[str]
    url: str
    imageUrl: Optional[str]
    question: str
    description: Optional[str]
    category: Optional[str]
    topicSlugs: List[str]
    assetKeys: List[str]
    type: Literal["binary", "categorical", "scalar"]
    status: Literal["open", "closed", "resolved", "cancelled"]
    isRealMoney: bool
    currency: str
    probability: Optional[float]
    outcomes: List[PredictionMarketItemOutcomes]
    volume: float
    volume24h: Optional[float]
    liquidity: Optional[float]
    openInterest: Optional[float]
    priceChange24h: Optional[float]
    priceChange7d: Optional[float]
    openAt: Optional[datetime]
    closeAt: Optional[datetime]
    resolvedAt: Optional[datetime]
    resolution: Optional[str]
    createdAt: datetime
    updatedAt: datetime


class Publisher(TypedDict):
    """A publisher of entries."""

    id: str
    slug: str
    name: str
    domain: str
    homepageUrl: Optional[str]
    description: Optional[str]
    countryCode: Optional[str]
    language: Optional[str]
    type: Literal["newswire", "newspaper", "magazine", "broadcaster", "blog", "press_release", "regulator", "aggregator"]
    isPaywalled: Optional[bool]
    entryCount: int
    entryCount24h: int
    firstEntryAt: Optional[datetime]
    lastEntryAt: Optional[datetime]
    isActive: bool
    createdAt: datetime
    updatedAt: datetime


class Ready(TypedDict):
    """Readiness of this server."""

    status: Literal["ready"]
    olderEntries: int


class SecBeneficialOwnershipReportingPersons(TypedDict):
    name: str
    cik: Optional[str]
    type: Optional[str]
    citizenship: Optional[str]
    sharesOwned: Optional[float]
    percentOfClass: Optional[float]


class SecBeneficialOwnership(TypedDict):
    """A Schedule 13D or 13G: owners of more than five percent."""

    id: str
    accessionNumber: str
    formType: str
    isAmendment: bool
    supersedesId: Optional[str]
    supersededById: Optional[str]
    filedAt: datetime
    filingDate: date
    periodOfReport: Optional[date]
    cik: str
    companyName: str
    ticker: Optional[str]
    assetId: Optional[str]
    assetKey: Optional[str]
    filingUrl: str
    schedule: Literal["13D", "13G"]
    isActivist: bool
    eventDate: Optional[date]
    securityTitle: str
    cusips: List[str]
    reportingPersons: List[SecBeneficialOwnershipReportingPersons]
    maxPercentOfClass: float
    createdAt: datetime


class SecDataset(TypedDict):
    """An SEC dataset."""

    slug: Literal["insider-trades", "financial-filings", "institutional-holdings", "beneficial-ownership", "private-placements", "planned-sales", "material-events"]
    name: str
    description: str
    path: str
    forms: List[str]
    recordCount: int
    fields: List[str]
    filters: List[str]


class SecFinancialFilingItems(TypedDict):
    code: str
    title: str


class SecFinancialFilingFacts(TypedDict):
    """Figures in whole units of currency, not thousands; each is null if the filing does not report it."""

    revenue: Optional[float]
    grossProfit: Optional[float]
    operatingIncome: Optional[float]
    netIncome: Optional[float]
    epsBasic: Optional[float]
    epsDiluted: Optional[float]
    totalAssets: Optional[float]
    totalLiabilities: Optional[float]
    stockholdersEquity: Optional[float]
    cashAndEquivalents: Optional[float]
    operatingCashFlow: Optional[float]
    capitalExpenditures: Optional[float]
    freeCashFlow: Optional[float]
    sharesOutstanding: Optional[float]


class SecFinancialFilingFactDetails(TypedDict):
    fact: str
    concept: str
    unit: str
    value: float
    periodStart: Optional[date]
    periodEnd: date


class SecFinancialFilingDocuments(TypedDict):
    sequence: int
    type: str
    description: Optional[str]
    url: str


class SecFinancialFiling(TypedDict):
    """A filing with all that is known about it."""

    id: str
    accessionNumber: str
    formType: str
    isAmendment: bool
    supersedesId: Optional[str]
    supersededById: Optional[str]
    filedAt: datetime
    filingDate: date
    periodOfReport: Optional[date]
    cik: str
    companyName: str
    ticker: Optional[str]
    assetId: Optional[str]
    assetKey: Optional[str]
    filingUrl: str
    items: List[SecFinancialFilingItems]
    fiscalYear: Optional[int]
    fiscalPeriod: Optional[Literal["FY", "Q1", "Q2", "Q3", "Q4"]]
    periodStart: Optional[date]
    periodEnd: Optional[date]
    currency: Optional[str]
    isXbrl: bool
    facts: SecFinancialFilingFacts
    createdAt: datetime
    factDetails: List[SecFinancialFilingFactDetails]
    documents: List[SecFinancialFilingDocuments]


class SecFinancialFilingItemItems(TypedDict):
    code: str
    title: str


class SecFinancialFilingItemFacts(TypedDict):
    """Figures in whole units of currency, not thousands; each is null if the filing does not report it."""

    revenue: Optional[float]
    grossProfit: Optional[float]
    operatingIncome: Optional[float]
    netIncome: Optional[float]
    epsBasic: Optional[float]
    epsDiluted: Optional[float]
    totalAssets: Optional[float]
    totalLiabilities: Optional[float]
    stockholdersEquity: Optional[float]
    cashAndEquivalents: Optional[float]
    operatingCashFlow: Optional[float]
    capitalExpenditures: Optional[float]
    freeCashFlow: Optional[float]
    sharesOutstanding: Optional[float]


class SecFinancialFilingItem(TypedDict):
    """A 10-K, 10-Q, 20-F or 8-K with its figures."""

    id: str
    accessionNumber: str
    formType: str
    isAmendment: bool
    supersedesId: Optional[str]
    supersededById: Optional[str]
    filedAt: datetime
    filingDate: date
    periodOfReport: Optional[date]
    cik: str
    companyName: str
    ticker: Optional[str]
    assetId: Optional[str]
    assetKey: Optional[str]
    filingUrl: str
    items: List[SecFinancialFilingItemItems]
    fiscalYear: Optional[int]
    fiscalPeriod: Optional[Literal["FY", "Q1", "Q2", "Q3", "Q4"]]
    periodStart: Optional[date]
    periodEnd: Optional[date]
    currency: Optional[str]
    isXbrl: bool
    facts: SecFinancialFilingItemFacts
    createdAt: datetime


class SecInsiderTradeFootnotes(TypedDict):
    id: str
    text: str


class SecInsiderTrade(TypedDict):
    """A line of a Form 3, 4 or 5: a trade or holding of an insider."""

    id: str
    accessionNumber: str
    formType: str
    isAmendment: bool
    supersedesId: Optional[str]
    supersededById: Optional[str]
    filedAt: datetime
    filingDate: date
    periodOfReport: Optional[date]
    cik: str
    companyName: str
    ticker: Optional[str]
    assetId: Optional[str]
    assetKey: Optional[str]
    filingUrl: str
    ownerCik: str
    ownerName: str
    isDirector: bool
    isOfficer: bool
    isTenPercentOwner: bool
    officerTitle: Optional[str]
    ownerRole: Optional[str]
    transactionDate: Optional[date]
    transactionCode: Optional[str]
    transactionType: Literal["purchase", "sale", "grant", "exercise", "tax_withholding", "gift", "conversion", "other"]
    isOpenMarket: bool
    acquiredDisposed: Optional[Literal["A", "D"]]
    securityTitle: str
    isDerivative: bool
    isHolding: bool
    shares: Optional[float]
    pricePerShare: Optional[float]
    value: Optional[float]
    filingValue: Optional[float]
    sharesOwnedAfter: Optional[float]
    ownershipType: Literal["direct", "indirect"]
    ownershipNature: Optional[str]
    exercisePrice: Optional[float]
    exerciseDate: Optional[date]
    expirationDate: Optional[date]
    underlyingSecurityTitle: Optional[str]
    underlyingShares: Optional[float]
    is10b5One: Optional[bool]
    footnotes: List[SecInsiderTradeFootnotes]
    lineNumber: int
    createdAt: datetime


class SecInstitutionalHolding(TypedDict):
    """A line of a 13F: a manager's position at the end of a quarter."""

    id: str
    accessionNumber: str
    formType: str
    isAmendment: bool
    supersedesId: Optional[str]
    supersededById: Optional[str]
    filedAt: datetime
    filingDate: date
    periodOfReport: Optional[date]
    cik: str
    companyName: str
    ticker: Optional[str]
    assetId: Optional[str]
    assetKey: Optional[str]
    filingUrl: str
    managerCik: str
    managerName: str
    issuerName: str
    titleOfClass: str
    cusip: str
    shares: float
    shareType: Literal["SH", "PRN"]
    putCall: Optional[Literal["put", "call"]]
    valueUsd: float
    investmentDiscretion: Literal["SOLE", "DFND", "OTR"]
    votingSole: float
    votingShared: float
    votingNone: float
    priorShares: Optional[float]
    sharesChange: Optional[float]
    positionStatus: Optional[Literal["new", "increased", "decreased", "unchanged", "closed"]]
    createdAt: datetime


class SecMaterialEventItems(TypedDict):
    code: str
    title: str


class SecMaterialEventDocuments(TypedDict):
    sequence: int
    type: str
    description: Optional[str]
    url: str


class SecMaterialEvent(TypedDict):
    """A Form 8-K, by the items it reports."""

    id: str
    accessionNumber: str
    formType: str
    isAmendment: bool
    supersedesId: Optional[str]
    supersededById: Optional[str]
    filedAt: datetime
    filingDate: date
    periodOfReport: Optional[date]
    cik: str
    companyName: str
    ticker: Optional[str]
    assetId: Optional[str]
    assetKey: Optional[str]
    filingUrl: str
    items: List[SecMaterialEventItems]
    documents: List[SecMaterialEventDocuments]
    createdAt: datetime


class SecPlannedSale(TypedDict):
    """A Form 144: a sale that an insider plans."""

    id: str
    accessionNumber: str
    formType: str
    isAmendment: bool
    supersedesId: Optional[str]
    supersededById: Optional[str]
    filedAt: datetime
    filingDate: date
    periodOfReport: Optional[date]
    cik: str
    companyName: str
    ticker: Optional[str]
    assetId: Optional[str]
    assetKey: Optional[str]
    filingUrl: str
    sellerName: str
    relationships: List[str]
    securityTitle: str
    units: float
    marketValue: float
    approxSaleDate: date
    broker: Optional[str]
    createdAt: datetime


class SecPrivatePlacementRelatedPersons(TypedDict):
    name: str
    relationships: List[str]


class SecPrivatePlacement(TypedDict):
    """A Form D: an offering that is exempt from registration. Amounts are in US dollars."""

    id: str
    accessionNumber: str
    formType: str
    isAmendment: bool
    supersedesId: Optional[str]
    supersededById: Optional[str]
    filedAt: datetime
    filingDate: date
    periodOfReport: Optional[date]
    cik: str
    companyName: str
    ticker: Optional[str]
    assetId: Optional[str]
    assetKey: Optional[str]
    filingUrl: str
    entityType: str
    jurisdiction: Optional[str]
    industryGroup: str
    exemptions: List[str]
    securityTypes: List[str]
    firstSaleDate: Optional[date]
    totalOfferingAmount: Optional[float]
    totalAmountSold: float
    totalRemaining: Optional[float]
    minimumInvestment: Optional[float]
    investorCount: int
    relatedPersons: List[SecPrivatePlacementRelatedPersons]
    createdAt: datetime


class ServiceLinks(TypedDict):
    """Paths to start from."""

    entries: str
    health: str
    openapi: str


class Service(TypedDict):
    """This server."""

    name: str
    version: str
    links: ServiceLinks


class SignalSecRecords(TypedDict):
    dataset: Literal["insider-trades", "financial-filings", "institutional-holdings", "beneficial-ownership", "private-placements", "planned-sales", "material-events"]
    id: str


class SignalMetrics(TypedDict):
    value: float
    baseline: Optional[float]
    zScore: Optional[float]
    window: str


class SignalModel(TypedDict):
    """The rules that generated the signal."""

    name: str
    version: str


class SignalOutcome(TypedDict):
    evaluatedAt: datetime
    returnPercent: float
    isHit: bool


class Signal(TypedDict):
    """A finding about an asset, with its evidence."""

    id: str
    kind: Literal["sentiment_shift", "news_volume_spike", "breaking_cluster", "insider_cluster_buy", "insider_large_sale", "activist_stake", "material_event", "prediction_market_move", "price_news_divergence"]
    direction: Literal["bullish", "bearish", "neutral"]
    strength: float
    confidence: float
    horizon: Literal["intraday", "1d", "1w", "1mo"]
    assetId: str
    assetKey: str
    title: str
    summary: str
    entryIds: List[str]
    clusterId: Optional[str]
    secRecords: List[SignalSecRecords]
    predictionMarketIds: List[str]
    metrics: Optional[SignalMetrics]
    referencePrice: Optional[float]
    model: SignalModel
    status: Literal["active", "expired", "superseded"]
    generatedAt: datetime
    expiresAt: datetime
    outcome: Optional[SignalOutcome]
    createdAt: datetime
    updatedAt: datetime


class SignalStreamReadyData(TypedDict):
    """The first event."""

    connectionId: str
    plan: str
    serverTime: datetime
    resumedFrom: Optional[int]
    replayCount: int
    creditsPerMinute: int


class SignalStreamReady(TypedDict):
    id: int
    event: Literal["ready"]
    data: SignalStreamReadyData


class SignalStreamSignalData(TypedDict):
    """A new or changed signal."""

    signal: Signal
    change: Literal["new", "updated"]


class SignalStreamSignal(TypedDict):
    id: int
    event: Literal["signal"]
    data: SignalStreamSignalData


class SignalStreamHeartbeatData(TypedDict):
    """Shows that the stream is alive."""

    at: datetime


class SignalStreamHeartbeat(TypedDict):
    id: int
    event: Literal["heartbeat"]
    data: SignalStreamHeartbeatData


class SignalStreamGapData(TypedDict):
    """Missed events that cannot be sent again. If the service was restored from a backup, fromId follows its last event, and others that you missed may be lost as well."""

    fromId: int
    toId: int


class SignalStreamGap(TypedDict):
    id: int
    event: Literal["gap"]
    data: SignalStreamGapData


class SignalStreamClosingData(TypedDict):
    """The last event, before the service closes the stream."""

    reason: Literal["rotation", "slow_consumer", "key_revoked", "plan_changed", "credits_exhausted", "shutdown"]
    reconnectAfterMs: Optional[int]


class SignalStreamClosing(TypedDict):
    id: int
    event: Literal["closing"]
    data: SignalStreamClosingData


SignalStream = Union[SignalStreamReady, SignalStreamSignal, SignalStreamHeartbeat, SignalStreamGap, SignalStreamClosing]

class StatLanguage(TypedDict):
    """A language with its entries."""

    language: Optional[str]
    entries: int


StatsSecRecords = TypedDict(
    "StatsSecRecords",
    {
        "insider-trades": "int",
        "financial-filings": "int",
        "institutional-holdings": "int",
        "beneficial-ownership": "int",
        "private-placements": "int",
        "planned-sales": "int",
        "material-events": "int",
    },
)

class StatsSignalOutcomes(TypedDict):
    kind: Literal["sentiment_shift", "news_volume_spike", "breaking_cluster", "insider_cluster_buy", "insider_large_sale", "activist_stake", "material_event", "prediction_market_move", "price_news_divergence"]
    evaluated: int
    hits: int
    hitRate: Optional[float]


class Stats(TypedDict):
    """Numbers of records of this server."""

    entries: int
    publishers: int
    assets: int
    topics: int
    clusters: int
    markets: int
    predictionMarkets: int
    secRecords: StatsSecRecords
    signals: int
    signalOutcomes: List[StatsSignalOutcomes]
    lastEntryAt: Optional[datetime]
    generatedAt: datetime


StatusUptimePeriods = TypedDict(
    "StatusUptimePeriods",
    {
        "period": "Literal['24h', '7d', '90d']",
        "from": "datetime",
        "share": "Optional[float]",
    },
)

class StatusUptimeDays(TypedDict):
    day: date
    share: Optional[float]


class StatusUptime(TypedDict):
    """When at least one instance ran and could write to its store. Interruptions of less than 60 seconds are not noticed."""

    knownSince: Optional[datetime]
    periods: List[StatusUptimePeriods]
    days: List[StatusUptimeDays]


class StatusData(TypedDict):
    kind: Literal["news", "candles", "prediction-markets", "filings", "signals"]
    newestAt: Optional[datetime]
    lagSeconds: Optional[int]
    sources: int
    failing: int


class Status(TypedDict):
    """Status of this service."""

    uptime: StatusUptime
    data: List[StatusData]
    version: str
    time: datetime


class Topic(TypedDict):
    """A subject of entries, with its place in the topic tree."""

    id: str
    slug: str
    name: str
    description: Optional[str]
    parentId: Optional[str]
    parentSlug: Optional[str]
    path: List[str]
    depth: int
    isLeaf: bool
    entryCount: int
    entryCount24h: int
    createdAt: datetime
    updatedAt: datetime


class TopicNode(TypedDict):
    """A topic with the topics below it."""

    id: str
    slug: str
    name: str
    depth: int
    entryCount: int
    children: List[TopicNode]


class UpdatedAccountAlertsLastFailure(TypedDict):
    """Present only if the last attempt to deliver a message failed."""

    reason: str
    at: datetime


class _UpdatedAccountAlertsOptional(TypedDict, total=False):
    lastFailure: UpdatedAccountAlertsLastFailure
    webhookSecret: str


class UpdatedAccountAlerts(_UpdatedAccountAlertsOptional):
    """The changed alerts."""

    lowBalance: Optional[int]
    isBelow: bool
    webhookUrl: Optional[str]
    email: bool


class ServiceResource(_Resource):
    """The endpoints of service."""

    def get(self) -> Service:
        """Get the name and version of this server. `GET /`"""
        return self._transport.send("GET", "/")["data"]

    def health(self) -> Health:
        """Check whether this server runs. Checks nothing else, so that a restart would help if it fails. `/ready` checks the store. `GET /health`"""
        return self._transport.send("GET", "/health")["data"]

    def ready(self) -> Ready:
        """Check whether this server can serve charged requests. For load balancers. 503 if the store cannot be read or written, or if the server is shutting down. The operator, who sends the admin token, is told why. `GET /ready`"""
        return self._transport.send("GET", "/ready")["data"]

    def status(self) -> Status:
        """Get the uptime of this service and how current its data is. A page for clients that ask for HTML. STATUS_PAGE=off removes it. 503 if the server is not ready. `GET /status`"""
        return self._transport.send("GET", "/status")["data"]


class EntriesResource(_Resource):
    """The endpoints of entries."""

    def list(
        self,
        *,
        limit: Optional[int] = None,
        search: Optional[str] = None,
        query: Optional[str] = None,
        after: Optional[str] = None,
        before: Optional[str] = None,
        sort_by: Optional[Literal["createdAt:desc", "createdAt:asc", "publishedAt:desc", "publishedAt:asc", "relevance:desc"]] = None,
        has_assets: Optional[bool] = None,
        asset_key: Optional[Union[str, Sequence[str]]] = None,
        ticker: Optional[Union[str, Sequence[str]]] = None,
        symbol: Optional[Union[str, Sequence[str]]] = None,
        asset_id: Optional[Union[str, Sequence[str]]] = None,
        topic_slug: Optional[Union[str, Sequence[str]]] = None,
        topic_id: Optional[Union[str, Sequence[str]]] = None,
        publisher_slug: Optional[Union[str, Sequence[str]]] = None,
        publisher_id: Optional[Union[str, Sequence[str]]] = None,
        author: Optional[Union[str, Sequence[str]]] = None,
        language: Optional[Union[str, Sequence[str]]] = None,
        country_code: Optional[Union[str, Sequence[str]]] = None,
        sentiment_score_min: Optional[float] = None,
        sentiment_score_max: Optional[float] = None,
        published_after: Optional[Time] = None,
        published_before: Optional[Time] = None,
        group: Optional[Literal["cluster"]] = None,
        include: Optional[Union[Literal["entities", "publisher", "cluster", "score"], Sequence[Literal["entities", "publisher", "cluster", "score"]]]] = None,
        as_of: Optional[Time] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Items[Entry]:
        """List news entries, newest first. Costs 1 credit, 2 with query. `GET /api/v1/entries`

        limit: Page size. Values above the maximum are lowered to it; with the demo key, values above 3 are refused with 400. Default: 50.
        search: Full-text search. All words must match, in any of their forms (rate finds rates); supports "exact phrases", -exclusions, or, and beg* for words that begin so.
        query: Semantic search: a question or headline in your own words; the first 300 characters count. Returns at most 200 entries, sorted by relevance unless sortBy is given, and fewer or none if few are relevant. Words such as "this week" prefer entries of that time. `meta.mode` is words if the model does not know the language of the query or is not available, else semantic.
        after: nextCursor of the previous page: returns the items after it.
        before: prevCursor of the following page: returns the items before it.
        sort_by: Sort order; relevance:desc needs query, and is the default with it. Default: createdAt:desc.
        has_assets: true: only entries that mention an asset; false: only entries that mention none.
        asset_key: Key of a mentioned asset; a comma-separated list matches any of its values.
        ticker: Symbol of a mentioned asset; a comma-separated list matches any of its values.
        symbol: The same as ticker; a comma-separated list matches any of its values.
        asset_id: Id of a mentioned asset; a comma-separated list matches any of its values.
        topic_slug: Slug of a topic; includes topics below it; a comma-separated list matches any of its values.
        topic_id: Id of a topic; includes topics below it; a comma-separated list matches any of its values.
        publisher_slug: Slug of the publisher; a comma-separated list matches any of its values.
        publisher_id: Id of the publisher; a comma-separated list matches any of its values.
        author: Author as returned, in the same case; a comma-separated list matches any of its values.
        language: Detected language code; a comma-separated list matches any of its values.
        country_code: Country code of the publisher; a comma-separated list matches any of its values.
        sentiment_score_min: Minimum sentiment score.
        sentiment_score_max: Maximum sentiment score.
        published_after: Published at this time or later.
        published_before: Published at this time or earlier.
        group: With query, not with asOf: cluster returns only the most relevant entry of each cluster.
        include: Parts to add to the response, separated by commas.
        as_of: Time of the past: returns the entries that had arrived by then (createdAt), in their current text; a later time is now.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return Items(self._transport, "/api/v1/entries", {"limit": limit, "search": search, "query": query, "after": after, "before": before, "sortBy": sort_by, "hasAssets": has_assets, "assetKey": asset_key, "ticker": ticker, "symbol": symbol, "assetId": asset_id, "topicSlug": topic_slug, "topicId": topic_id, "publisherSlug": publisher_slug, "publisherId": publisher_id, "author": author, "language": language, "countryCode": country_code, "sentimentScoreMin": sentiment_score_min, "sentimentScoreMax": sentiment_score_max, "publishedAfter": published_after, "publishedBefore": published_before, "group": group, "include": include, "asOf": as_of, "fields": fields})

    def counts(
        self,
        *,
        interval: Optional[Literal["1h", "1d"]] = None,
        search: Optional[str] = None,
        has_assets: Optional[bool] = None,
        asset_key: Optional[Union[str, Sequence[str]]] = None,
        ticker: Optional[Union[str, Sequence[str]]] = None,
        symbol: Optional[Union[str, Sequence[str]]] = None,
        asset_id: Optional[Union[str, Sequence[str]]] = None,
        topic_slug: Optional[Union[str, Sequence[str]]] = None,
        topic_id: Optional[Union[str, Sequence[str]]] = None,
        publisher_slug: Optional[Union[str, Sequence[str]]] = None,
        publisher_id: Optional[Union[str, Sequence[str]]] = None,
        author: Optional[Union[str, Sequence[str]]] = None,
        language: Optional[Union[str, Sequence[str]]] = None,
        country_code: Optional[Union[str, Sequence[str]]] = None,
        sentiment_score_min: Optional[float] = None,
        sentiment_score_max: Optional[float] = None,
        published_after: Optional[Time] = None,
        published_before: Optional[Time] = None,
        as_of: Optional[Time] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Items[EntryCount]:
        """Count entries over time, with their mean sentiment. Counts by the time of publication, with the filters of /entries, except query. Intervals without entries are omitted. A response covers at most 1000 intervals: without publishedAfter the last ones, else the first ones, and `meta.nextPublishedAfter` says where to go on. Costs 1 credit. `GET /api/v1/entries/counts`

        interval: Length of the intervals; days are UTC days. Default: 1d.
        search: Full-text search. All words must match, in any of their forms (rate finds rates); supports "exact phrases", -exclusions, or, and beg* for words that begin so.
        has_assets: true: only entries that mention an asset; false: only entries that mention none.
        asset_key: Key of a mentioned asset; a comma-separated list matches any of its values.
        ticker: Symbol of a mentioned asset; a comma-separated list matches any of its values.
        symbol: The same as ticker; a comma-separated list matches any of its values.
        asset_id: Id of a mentioned asset; a comma-separated list matches any of its values.
        topic_slug: Slug of a topic; includes topics below it; a comma-separated list matches any of its values.
        topic_id: Id of a topic; includes topics below it; a comma-separated list matches any of its values.
        publisher_slug: Slug of the publisher; a comma-separated list matches any of its values.
        publisher_id: Id of the publisher; a comma-separated list matches any of its values.
        author: Author as returned, in the same case; a comma-separated list matches any of its values.
        language: Detected language code; a comma-separated list matches any of its values.
        country_code: Country code of the publisher; a comma-separated list matches any of its values.
        sentiment_score_min: Minimum sentiment score.
        sentiment_score_max: Maximum sentiment score.
        published_after: Published at this time or later.
        published_before: Published at this time or earlier.
        as_of: Time of the past: returns the entries that had arrived by then (createdAt), in their current text; a later time is now.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return Items(self._transport, "/api/v1/entries/counts", {"interval": interval, "search": search, "hasAssets": has_assets, "assetKey": asset_key, "ticker": ticker, "symbol": symbol, "assetId": asset_id, "topicSlug": topic_slug, "topicId": topic_id, "publisherSlug": publisher_slug, "publisherId": publisher_id, "author": author, "language": language, "countryCode": country_code, "sentimentScoreMin": sentiment_score_min, "sentimentScoreMax": sentiment_score_max, "publishedAfter": published_after, "publishedBefore": published_before, "asOf": as_of, "fields": fields})

    def stream(
        self,
        *,
        search: Optional[str] = None,
        has_assets: Optional[bool] = None,
        asset_key: Optional[Union[str, Sequence[str]]] = None,
        ticker: Optional[Union[str, Sequence[str]]] = None,
        symbol: Optional[Union[str, Sequence[str]]] = None,
        asset_id: Optional[Union[str, Sequence[str]]] = None,
        topic_slug: Optional[Union[str, Sequence[str]]] = None,
        topic_id: Optional[Union[str, Sequence[str]]] = None,
        publisher_slug: Optional[Union[str, Sequence[str]]] = None,
        publisher_id: Optional[Union[str, Sequence[str]]] = None,
        author: Optional[Union[str, Sequence[str]]] = None,
        language: Optional[Union[str, Sequence[str]]] = None,
        country_code: Optional[Union[str, Sequence[str]]] = None,
        sentiment_score_min: Optional[float] = None,
        sentiment_score_max: Optional[float] = None,
        published_after: Optional[Time] = None,
        published_before: Optional[Time] = None,
        last_event_id: Optional[int] = None,
    ) -> EventStream[EntryStreamEntry]:
        """Stream new and changed entries as server-sent events. Opening a stream is free; each minute costs credits. The time of all streams of an account is summed, and the rest of a started minute counts for the next stream. The first event is `ready`. `entry` follows for each new entry that matches the filters with `change` new, and for each changed one that matches them then with `change` updated. There are no events for removals: `/changes` has them. `heartbeat` follows every 15 seconds. Before the service closes the stream, `closing` gives the reason and when to reconnect. The id of an event is an integer that orders the events; the id of the entry is `data.entry.id`. To resume, send the id of the last event: missed events are sent first, up to 24 hours back. `gap` names events that are no longer available; if its id is lower than yours, the service was restored from a backup. Costs 5 credits per minute. `GET /api/v1/entries/stream`

        search: Full-text search. All words must match, in any of their forms (rate finds rates); supports "exact phrases", -exclusions, or, and beg* for words that begin so.
        has_assets: true: only entries that mention an asset; false: only entries that mention none.
        asset_key: Key of a mentioned asset; a comma-separated list matches any of its values.
        ticker: Symbol of a mentioned asset; a comma-separated list matches any of its values.
        symbol: The same as ticker; a comma-separated list matches any of its values.
        asset_id: Id of a mentioned asset; a comma-separated list matches any of its values.
        topic_slug: Slug of a topic; includes topics below it; a comma-separated list matches any of its values.
        topic_id: Id of a topic; includes topics below it; a comma-separated list matches any of its values.
        publisher_slug: Slug of the publisher; a comma-separated list matches any of its values.
        publisher_id: Id of the publisher; a comma-separated list matches any of its values.
        author: Author as returned, in the same case; a comma-separated list matches any of its values.
        language: Detected language code; a comma-separated list matches any of its values.
        country_code: Country code of the publisher; a comma-separated list matches any of its values.
        sentiment_score_min: Minimum sentiment score.
        sentiment_score_max: Maximum sentiment score.
        published_after: Published at this time or later.
        published_before: Published at this time or earlier.
        last_event_id: Id of the last event you received: the stream first sends what you missed. The header Last-Event-ID does the same and takes precedence.
        """
        return EventStream(self._transport, "/api/v1/entries/stream", {"search": search, "hasAssets": has_assets, "assetKey": asset_key, "ticker": ticker, "symbol": symbol, "assetId": asset_id, "topicSlug": topic_slug, "topicId": topic_id, "publisherSlug": publisher_slug, "publisherId": publisher_id, "author": author, "language": language, "countryCode": country_code, "sentimentScoreMin": sentiment_score_min, "sentimentScoreMax": sentiment_score_max, "publishedAfter": published_after, "publishedBefore": published_before, "lastEventId": last_event_id})

    def get(
        self,
        id: str,
        *,
        include: Optional[Union[Literal["entities", "publisher", "cluster"], Sequence[Literal["entities", "publisher", "cluster"]]]] = None,
        as_of: Optional[Time] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Entry:
        """Get a news entry. Costs 1 credit. `GET /api/v1/entries/:id`

        include: Parts to add to the response, separated by commas.
        as_of: Time of the past: returns the entries that had arrived by then (createdAt), in their current text; a later time is now.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return self._transport.send("GET", f"/api/v1/entries/{_segment(id)}", {"include": include, "asOf": as_of, "fields": fields})["data"]


class AssetsResource(_Resource):
    """The endpoints of assets."""

    def list(
        self,
        *,
        limit: Optional[int] = None,
        search: Optional[str] = None,
        page: Optional[int] = None,
        sort_by: Optional[Literal["name:asc", "name:desc", "symbol:asc", "symbol:desc", "entryCount24h:desc", "entryCount24h:asc", "updatedAt:desc", "updatedAt:asc", "name", "symbol", "entryCount24h", "updatedAt"]] = None,
        type: Optional[Union[Literal["equity", "etf", "index", "crypto", "currency", "commodity", "other"], Sequence[Literal["equity", "etf", "index", "crypto", "currency", "commodity", "other"]]]] = None,
        status: Optional[Union[Literal["active", "delisted"], Sequence[Literal["active", "delisted"]]]] = None,
        exchange: Optional[Union[str, Sequence[str]]] = None,
        country_code: Optional[Union[str, Sequence[str]]] = None,
        sector: Optional[Union[str, Sequence[str]]] = None,
        symbol: Optional[Union[str, Sequence[str]]] = None,
        key: Optional[Union[str, Sequence[str]]] = None,
        cik: Optional[Union[str, Sequence[str]]] = None,
        has_entries: Optional[bool] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Items[Asset]:
        """List assets by name. Costs 1 credit. `GET /api/v1/assets`

        limit: Page size. Values above the maximum are lowered to it; with the demo key, values above 3 are refused with 400. Default: 50.
        search: Full-text search. All words must match, in any of their forms (rate finds rates); supports "exact phrases", -exclusions, or, and beg* for words that begin so. Words match by prefix.
        page: Page number. Default: 1.
        sort_by: Sort order; without a direction, the first one listed applies. Default: name:asc.
        type: Type; a comma-separated list matches any of its values.
        status: Status; a comma-separated list matches any of its values.
        exchange: Exchange; a comma-separated list matches any of its values.
        country_code: Country code; a comma-separated list matches any of its values.
        sector: Sector; a comma-separated list matches any of its values.
        symbol: Symbol; a comma-separated list matches any of its values.
        key: Key; a comma-separated list matches any of its values.
        cik: CIK; a comma-separated list matches any of its values.
        has_entries: true: only assets with entries; false: only assets without.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return Items(self._transport, "/api/v1/assets", {"limit": limit, "search": search, "page": page, "sortBy": sort_by, "type": type, "status": status, "exchange": exchange, "countryCode": country_code, "sector": sector, "symbol": symbol, "key": key, "cik": cik, "hasEntries": has_entries, "fields": fields})

    def get(
        self,
        id: str,
        *,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Asset:
        """Get an asset by id or key. Costs 1 credit. `GET /api/v1/assets/:id`

        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return self._transport.send("GET", f"/api/v1/assets/{_segment(id)}", {"fields": fields})["data"]


class TopicsResource(_Resource):
    """The endpoints of topics."""

    def list(
        self,
        *,
        limit: Optional[int] = None,
        search: Optional[str] = None,
        page: Optional[int] = None,
        sort_by: Optional[Literal["name:asc", "name:desc", "entryCount:desc", "entryCount:asc", "entryCount24h:desc", "entryCount24h:asc", "name", "entryCount", "entryCount24h"]] = None,
        parent_id: Optional[Union[str, Sequence[str]]] = None,
        parent_slug: Optional[Union[str, Sequence[str]]] = None,
        depth: Optional[Union[int, Sequence[int]]] = None,
        is_leaf: Optional[bool] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Items[Topic]:
        """List topics by name. Costs 1 credit. `GET /api/v1/topics`

        limit: Page size. Values above the maximum are lowered to it; with the demo key, values above 3 are refused with 400. Default: 50.
        search: Full-text search. All words must match, in any of their forms (rate finds rates); supports "exact phrases", -exclusions, or, and beg* for words that begin so. Words match by prefix.
        page: Page number. Default: 1.
        sort_by: Sort order; without a direction, the first one listed applies. Default: name:asc.
        parent_id: Id of the parent; a comma-separated list matches any of its values.
        parent_slug: Slug of the parent; a comma-separated list matches any of its values.
        depth: Depth in the tree; roots have 0; a comma-separated list matches any of its values.
        is_leaf: true: only topics without children; false: only topics with children.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return Items(self._transport, "/api/v1/topics", {"limit": limit, "search": search, "page": page, "sortBy": sort_by, "parentId": parent_id, "parentSlug": parent_slug, "depth": depth, "isLeaf": is_leaf, "fields": fields})

    def tree(
        self,
        *,
        root_slug: Optional[str] = None,
        max_depth: Optional[int] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Rows[TopicNode]:
        """Get the topic tree. Costs 1 credit. `GET /api/v1/topics/tree`

        root_slug: Only this topic and its descendants.
        max_depth: Number of levels below the returned roots.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return Rows(self._transport.send("GET", "/api/v1/topics/tree", {"rootSlug": root_slug, "maxDepth": max_depth, "fields": fields})["data"])

    def get(
        self,
        id: str,
        *,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Topic:
        """Get a topic by id or slug. Costs 1 credit. `GET /api/v1/topics/:id`

        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return self._transport.send("GET", f"/api/v1/topics/{_segment(id)}", {"fields": fields})["data"]

    def entries(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        search: Optional[str] = None,
        query: Optional[str] = None,
        after: Optional[str] = None,
        before: Optional[str] = None,
        sort_by: Optional[Literal["createdAt:desc", "createdAt:asc", "publishedAt:desc", "publishedAt:asc", "relevance:desc"]] = None,
        has_assets: Optional[bool] = None,
        asset_key: Optional[Union[str, Sequence[str]]] = None,
        ticker: Optional[Union[str, Sequence[str]]] = None,
        symbol: Optional[Union[str, Sequence[str]]] = None,
        asset_id: Optional[Union[str, Sequence[str]]] = None,
        topic_slug: Optional[Union[str, Sequence[str]]] = None,
        topic_id: Optional[Union[str, Sequence[str]]] = None,
        publisher_slug: Optional[Union[str, Sequence[str]]] = None,
        publisher_id: Optional[Union[str, Sequence[str]]] = None,
        author: Optional[Union[str, Sequence[str]]] = None,
        language: Optional[Union[str, Sequence[str]]] = None,
        country_code: Optional[Union[str, Sequence[str]]] = None,
        sentiment_score_min: Optional[float] = None,
        sentiment_score_max: Optional[float] = None,
        published_after: Optional[Time] = None,
        published_before: Optional[Time] = None,
        group: Optional[Literal["cluster"]] = None,
        include: Optional[Union[Literal["entities", "publisher", "cluster", "score"], Sequence[Literal["entities", "publisher", "cluster", "score"]]]] = None,
        as_of: Optional[Time] = None,
        include_descendants: Optional[bool] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Items[Entry]:
        """List the entries about a topic and its descendants, newest first. Costs 1 credit. `GET /api/v1/topics/:id/entries`

        limit: Page size. Values above the maximum are lowered to it; with the demo key, values above 3 are refused with 400. Default: 50.
        search: Full-text search. All words must match, in any of their forms (rate finds rates); supports "exact phrases", -exclusions, or, and beg* for words that begin so.
        query: Semantic search: a question or headline in your own words; the first 300 characters count. Returns at most 200 entries, sorted by relevance unless sortBy is given, and fewer or none if few are relevant. Words such as "this week" prefer entries of that time. `meta.mode` is words if the model does not know the language of the query or is not available, else semantic.
        after: nextCursor of the previous page: returns the items after it.
        before: prevCursor of the following page: returns the items before it.
        sort_by: Sort order; relevance:desc needs query, and is the default with it. Default: createdAt:desc.
        has_assets: true: only entries that mention an asset; false: only entries that mention none.
        asset_key: Key of a mentioned asset; a comma-separated list matches any of its values.
        ticker: Symbol of a mentioned asset; a comma-separated list matches any of its values.
        symbol: The same as ticker; a comma-separated list matches any of its values.
        asset_id: Id of a mentioned asset; a comma-separated list matches any of its values.
        topic_slug: Slug of a topic; includes topics below it; a comma-separated list matches any of its values.
        topic_id: Id of a topic; includes topics below it; a comma-separated list matches any of its values.
        publisher_slug: Slug of the publisher; a comma-separated list matches any of its values.
        publisher_id: Id of the publisher; a comma-separated list matches any of its values.
        author: Author as returned, in the same case; a comma-separated list matches any of its values.
        language: Detected language code; a comma-separated list matches any of its values.
        country_code: Country code of the publisher; a comma-separated list matches any of its values.
        sentiment_score_min: Minimum sentiment score.
        sentiment_score_max: Maximum sentiment score.
        published_after: Published at this time or later.
        published_before: Published at this time or earlier.
        group: With query, not with asOf: cluster returns only the most relevant entry of each cluster.
        include: Parts to add to the response, separated by commas.
        as_of: Time of the past: returns the entries that had arrived by then (createdAt), in their current text; a later time is now.
        include_descendants: Whether to include entries about descendants of the topic. Default: true.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return Items(self._transport, f"/api/v1/topics/{_segment(id)}/entries", {"limit": limit, "search": search, "query": query, "after": after, "before": before, "sortBy": sort_by, "hasAssets": has_assets, "assetKey": asset_key, "ticker": ticker, "symbol": symbol, "assetId": asset_id, "topicSlug": topic_slug, "topicId": topic_id, "publisherSlug": publisher_slug, "publisherId": publisher_id, "author": author, "language": language, "countryCode": country_code, "sentimentScoreMin": sentiment_score_min, "sentimentScoreMax": sentiment_score_max, "publishedAfter": published_after, "publishedBefore": published_before, "group": group, "include": include, "asOf": as_of, "includeDescendants": include_descendants, "fields": fields})


class PublishersResource(_Resource):
    """The endpoints of publishers."""

    def list(
        self,
        *,
        limit: Optional[int] = None,
        search: Optional[str] = None,
        page: Optional[int] = None,
        sort_by: Optional[Literal["name:asc", "name:desc", "entryCount24h:desc", "entryCount24h:asc", "lastEntryAt:desc", "lastEntryAt:asc", "name", "entryCount24h", "lastEntryAt"]] = None,
        country_code: Optional[Union[str, Sequence[str]]] = None,
        language: Optional[Union[str, Sequence[str]]] = None,
        type: Optional[Union[Literal["newswire", "newspaper", "magazine", "broadcaster", "blog", "press_release", "regulator", "aggregator"], Sequence[Literal["newswire", "newspaper", "magazine", "broadcaster", "blog", "press_release", "regulator", "aggregator"]]]] = None,
        domain: Optional[Union[str, Sequence[str]]] = None,
        is_active: Optional[bool] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Items[Publisher]:
        """List publishers by name. Costs 1 credit. `GET /api/v1/publishers`

        limit: Page size. Values above the maximum are lowered to it; with the demo key, values above 3 are refused with 400. Default: 50.
        search: Full-text search. All words must match, in any of their forms (rate finds rates); supports "exact phrases", -exclusions, or, and beg* for words that begin so. Words match by prefix.
        page: Page number. Default: 1.
        sort_by: Sort order; without a direction, the first one listed applies. Default: name:asc.
        country_code: Country code; a comma-separated list matches any of its values.
        language: Language code; a comma-separated list matches any of its values.
        type: Type; a comma-separated list matches any of its values.
        domain: Domain; a comma-separated list matches any of its values.
        is_active: true: only active publishers; false: only inactive publishers.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return Items(self._transport, "/api/v1/publishers", {"limit": limit, "search": search, "page": page, "sortBy": sort_by, "countryCode": country_code, "language": language, "type": type, "domain": domain, "isActive": is_active, "fields": fields})

    def get(
        self,
        id: str,
        *,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Publisher:
        """Get a publisher by id or slug. Costs 1 credit. `GET /api/v1/publishers/:id`

        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return self._transport.send("GET", f"/api/v1/publishers/{_segment(id)}", {"fields": fields})["data"]


class ClustersResource(_Resource):
    """The endpoints of clusters."""

    def list(
        self,
        *,
        limit: Optional[int] = None,
        search: Optional[str] = None,
        after: Optional[str] = None,
        before: Optional[str] = None,
        sort_by: Optional[Literal["lastPublishedAt:desc", "lastPublishedAt:asc", "importanceScore:desc", "importanceScore:asc", "entryCount:desc", "entryCount:asc", "lastPublishedAt", "importanceScore", "entryCount"]] = None,
        asset_key: Optional[Union[str, Sequence[str]]] = None,
        ticker: Optional[Union[str, Sequence[str]]] = None,
        symbol: Optional[Union[str, Sequence[str]]] = None,
        asset_id: Optional[Union[str, Sequence[str]]] = None,
        topic_slug: Optional[Union[str, Sequence[str]]] = None,
        topic_id: Optional[Union[str, Sequence[str]]] = None,
        language: Optional[Union[str, Sequence[str]]] = None,
        status: Optional[Union[Literal["active", "closed"], Sequence[Literal["active", "closed"]]]] = None,
        entry_count_min: Optional[int] = None,
        publisher_count_min: Optional[int] = None,
        sentiment_score_min: Optional[float] = None,
        sentiment_score_max: Optional[float] = None,
        last_published_after: Optional[Time] = None,
        last_published_before: Optional[Time] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Items[ClusterItem]:
        """List clusters of entries about the same event, most recently published first. Costs 1 credit. `GET /api/v1/clusters`

        limit: Page size. Values above the maximum are lowered to it; with the demo key, values above 3 are refused with 400. Default: 50.
        search: Full-text search. All words must match, in any of their forms (rate finds rates); supports "exact phrases", -exclusions, or, and beg* for words that begin so.
        after: nextCursor of the previous page: returns the items after it.
        before: prevCursor of the following page: returns the items before it.
        sort_by: Sort order; without a direction, the first one listed applies. Default: lastPublishedAt:desc.
        asset_key: Key of an asset of the cluster; a comma-separated list matches any of its values.
        ticker: Symbol of an asset of the cluster; a comma-separated list matches any of its values.
        symbol: The same as ticker; a comma-separated list matches any of its values.
        asset_id: Id of an asset of the cluster; a comma-separated list matches any of its values.
        topic_slug: Slug of a topic; includes topics below it; a comma-separated list matches any of its values.
        topic_id: Id of a topic; includes topics below it; a comma-separated list matches any of its values.
        language: Language of one of its entries; a comma-separated list matches any of its values.
        status: Status; a comma-separated list matches any of its values.
        entry_count_min: Minimum number of entries.
        publisher_count_min: Minimum number of publishers.
        sentiment_score_min: Minimum sentiment score.
        sentiment_score_max: Maximum sentiment score.
        last_published_after: Last entry published at this time or later.
        last_published_before: Last entry published at this time or earlier.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return Items(self._transport, "/api/v1/clusters", {"limit": limit, "search": search, "after": after, "before": before, "sortBy": sort_by, "assetKey": asset_key, "ticker": ticker, "symbol": symbol, "assetId": asset_id, "topicSlug": topic_slug, "topicId": topic_id, "language": language, "status": status, "entryCountMin": entry_count_min, "publisherCountMin": publisher_count_min, "sentimentScoreMin": sentiment_score_min, "sentimentScoreMax": sentiment_score_max, "lastPublishedAfter": last_published_after, "lastPublishedBefore": last_published_before, "fields": fields})

    def get(
        self,
        id: str,
        *,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Cluster:
        """Get a cluster with its entries and their timeline. Costs 1 credit. `GET /api/v1/clusters/:id`

        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return self._transport.send("GET", f"/api/v1/clusters/{_segment(id)}", {"fields": fields})["data"]


class MarketsResource(_Resource):
    """The endpoints of markets."""

    def list(
        self,
        *,
        limit: Optional[int] = None,
        search: Optional[str] = None,
        page: Optional[int] = None,
        sort_by: Optional[Literal["symbol:asc", "symbol:desc", "changePercent:desc", "changePercent:asc", "dayVolume:desc", "dayVolume:asc", "symbol", "changePercent", "dayVolume"]] = None,
        type: Optional[Union[Literal["stock", "etf", "index", "crypto", "fx", "commodity"], Sequence[Literal["stock", "etf", "index", "crypto", "fx", "commodity"]]]] = None,
        venue: Optional[Union[str, Sequence[str]]] = None,
        symbol: Optional[Union[str, Sequence[str]]] = None,
        asset_key: Optional[Union[str, Sequence[str]]] = None,
        ticker: Optional[Union[str, Sequence[str]]] = None,
        asset_id: Optional[Union[str, Sequence[str]]] = None,
        quote_currency: Optional[Union[str, Sequence[str]]] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Items[Market]:
        """List markets with their last prices. Costs 1 credit. `GET /api/v1/markets`

        limit: Page size. Values above the maximum are lowered to it; with the demo key, values above 3 are refused with 400. Default: 50.
        search: Full-text search. All words must match, in any of their forms (rate finds rates); supports "exact phrases", -exclusions, or, and beg* for words that begin so. Words match by prefix.
        page: Page number. Default: 1.
        sort_by: Sort order; without a direction, the first one listed applies. Default: symbol:asc.
        type: Type of the market; a comma-separated list matches any of its values.
        venue: Venue; a comma-separated list matches any of its values.
        symbol: Symbol of the market; a comma-separated list matches any of its values.
        asset_key: Key of the asset; a comma-separated list matches any of its values.
        ticker: Symbol of the asset; a comma-separated list matches any of its values.
        asset_id: Id of the asset; a comma-separated list matches any of its values.
        quote_currency: Currency of the prices; a comma-separated list matches any of its values.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return Items(self._transport, "/api/v1/markets", {"limit": limit, "search": search, "page": page, "sortBy": sort_by, "type": type, "venue": venue, "symbol": symbol, "assetKey": asset_key, "ticker": ticker, "assetId": asset_id, "quoteCurrency": quote_currency, "fields": fields})

    def get(
        self,
        id: str,
        *,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Market:
        """Get a market with its last price, by id, symbol or asset key. The key of an asset names its only active market, or the only one in the currency of the asset: `BTC` is `BTC-USD`. Costs 1 credit. `GET /api/v1/markets/:id`

        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return self._transport.send("GET", f"/api/v1/markets/{_segment(id)}", {"fields": fields})["data"]

    def chart(
        self,
        id: str,
        *,
        range: Optional[Literal["1d", "5d", "1mo", "3mo", "6mo", "ytd", "1y", "5y", "max"]] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> MarketChart:
        """Get the prices of a market over a range, for a chart. The range ends at the last price. The interval is the finest that covers the whole range with at most 500 points. Costs 1 credit. `GET /api/v1/markets/:id/chart`

        range: How far back from the last price. Default: 1mo.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return self._transport.send("GET", f"/api/v1/markets/{_segment(id)}/chart", {"range": range, "fields": fields})["data"]

    def candles(
        self,
        id: str,
        *,
        interval: Optional[Literal["1m", "5m", "15m", "30m", "1h", "4h", "1d", "1w", "1mo"]] = None,
        max_points: Optional[int] = None,
        sort_by: Optional[Literal["openedAt:asc", "openedAt:desc", "openedAt"]] = None,
        opened_after: Optional[Time] = None,
        opened_before: Optional[Time] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Items[MarketCandle]:
        """List the candles of a market. Intervals without trades are omitted. Minute and hour candles often reach less far back than day candles: `meta.historyStartAt` says how far. If `meta.hasMore` is true, repeat the request with `openedAfter` set to `meta.nextOpenedAfter`, or with `openedBefore` set to `meta.nextOpenedBefore`, whichever is not null. Costs 2 credits. `GET /api/v1/markets/:id/candles`

        interval: Interval of the candles; days are UTC days, weeks start on Monday. Default: 1d.
        max_points: Maximum number of candles; 3 with the demo key. If more match, ascending order with openedAfter returns the oldest, otherwise the newest. Default: 500.
        sort_by: Sort order; without a direction, the first one listed applies. Default: openedAt:asc.
        opened_after: Opened at this time or later.
        opened_before: Opened at this time or earlier.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return Items(self._transport, f"/api/v1/markets/{_segment(id)}/candles", {"interval": interval, "maxPoints": max_points, "sortBy": sort_by, "openedAfter": opened_after, "openedBefore": opened_before, "fields": fields})


class PredictionMarketsResource(_Resource):
    """The endpoints of prediction markets."""

    def list(
        self,
        *,
        limit: Optional[int] = None,
        search: Optional[str] = None,
        page: Optional[int] = None,
        sort_by: Optional[Literal["volume:desc", "volume:asc", "closeAt:asc", "closeAt:desc", "probability:desc", "probability:asc", "priceChange24h:desc", "priceChange24h:asc", "createdAt:desc", "createdAt:asc", "volume", "closeAt", "probability", "priceChange24h", "createdAt"]] = None,
        venue: Optional[Union[Literal["polymarket", "kalshi", "manifold"], Sequence[Literal["polymarket", "kalshi", "manifold"]]]] = None,
        status: Optional[Union[Literal["open", "closed", "resolved", "cancelled"], Sequence[Literal["open", "closed", "resolved", "cancelled"]]]] = None,
        type: Optional[Union[Literal["binary", "categorical", "scalar"], Sequence[Literal["binary", "categorical", "scalar"]]]] = None,
        category: Optional[Union[str, Sequence[str]]] = None,
        topic_slug: Optional[Union[str, Sequence[str]]] = None,
        asset_key: Optional[Union[str, Sequence[str]]] = None,
        ticker: Optional[Union[str, Sequence[str]]] = None,
        symbol: Optional[Union[str, Sequence[str]]] = None,
        probability_min: Optional[float] = None,
        probability_max: Optional[float] = None,
        volume_min: Optional[float] = None,
        close_after: Optional[Time] = None,
        close_before: Optional[Time] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Items[PredictionMarketItem]:
        """List prediction markets, highest volume first. probability, its filters, its sort order and its changes are about the first outcome: yes in a yes-or-no market. A categorical market has several outcomes, each with a probability of its own in outcomes; the first one need not be the likeliest, and their sum may differ from 1. Costs 1 credit. `GET /api/v1/prediction-markets`

        limit: Page size. Values above the maximum are lowered to it; with the demo key, values above 3 are refused with 400. Default: 50.
        search: Full-text search. All words must match, in any of their forms (rate finds rates); supports "exact phrases", -exclusions, or, and beg* for words that begin so.
        page: Page number. Default: 1.
        sort_by: Sort order; without a direction, the first one listed applies. Default: volume:desc.
        venue: Venue; a comma-separated list matches any of its values.
        status: Status; a comma-separated list matches any of its values.
        type: Type; a comma-separated list matches any of its values.
        category: Category; a comma-separated list matches any of its values.
        topic_slug: Slug of a topic; includes topics below it; a comma-separated list matches any of its values.
        asset_key: Key of an asset; a comma-separated list matches any of its values.
        ticker: Symbol of an asset; a comma-separated list matches any of its values.
        symbol: The same as ticker; a comma-separated list matches any of its values.
        probability_min: Minimum probability.
        probability_max: Maximum probability.
        volume_min: Minimum volume.
        close_after: Closes at this time or later.
        close_before: Closes at this time or earlier.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return Items(self._transport, "/api/v1/prediction-markets", {"limit": limit, "search": search, "page": page, "sortBy": sort_by, "venue": venue, "status": status, "type": type, "category": category, "topicSlug": topic_slug, "assetKey": asset_key, "ticker": ticker, "symbol": symbol, "probabilityMin": probability_min, "probabilityMax": probability_max, "volumeMin": volume_min, "closeAfter": close_after, "closeBefore": close_before, "fields": fields})

    def get(
        self,
        id: str,
        *,
        interval: Optional[Literal["1h", "6h", "1d", "1w"]] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> PredictionMarket:
        """Get a prediction market by id or slug, with its rules and history. probability, its filters, its sort order and its changes are about the first outcome: yes in a yes-or-no market. A categorical market has several outcomes, each with a probability of its own in outcomes; the first one need not be the likeliest, and their sum may differ from 1. Costs 2 credits. `GET /api/v1/prediction-markets/:id`

        interval: Time between two points of the history, which has the newest 500. By default the finest that the data has and that covers all of it.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return self._transport.send("GET", f"/api/v1/prediction-markets/{_segment(id)}", {"interval": interval, "fields": fields})["data"]


class SecInsiderTradesResource(_Resource):
    """The endpoints of sec insider trades."""

    def list(
        self,
        *,
        limit: Optional[int] = None,
        search: Optional[str] = None,
        after: Optional[str] = None,
        before: Optional[str] = None,
        sort_by: Optional[Literal["filedAt:desc", "filedAt:asc", "transactionDate:desc", "transactionDate:asc", "value:desc", "value:asc", "filingValue:desc", "filingValue:asc", "filedAt", "transactionDate", "value", "filingValue"]] = None,
        cik: Optional[Union[str, Sequence[str]]] = None,
        ticker: Optional[Union[str, Sequence[str]]] = None,
        asset_key: Optional[Union[str, Sequence[str]]] = None,
        symbol: Optional[Union[str, Sequence[str]]] = None,
        asset_id: Optional[Union[str, Sequence[str]]] = None,
        form_type: Optional[Union[str, Sequence[str]]] = None,
        accession_number: Optional[Union[str, Sequence[str]]] = None,
        is_amendment: Optional[bool] = None,
        include_superseded: Optional[bool] = None,
        filed_after: Optional[Time] = None,
        filed_before: Optional[Time] = None,
        as_of: Optional[Time] = None,
        owner_cik: Optional[Union[str, Sequence[str]]] = None,
        owner_name: Optional[str] = None,
        transaction_code: Optional[Union[str, Sequence[str]]] = None,
        transaction_type: Optional[Union[Literal["purchase", "sale", "grant", "exercise", "tax_withholding", "gift", "conversion", "other"], Sequence[Literal["purchase", "sale", "grant", "exercise", "tax_withholding", "gift", "conversion", "other"]]]] = None,
        is_open_market: Optional[bool] = None,
        is_derivative: Optional[bool] = None,
        is_officer: Optional[bool] = None,
        is_director: Optional[bool] = None,
        value_min: Optional[float] = None,
        value_max: Optional[float] = None,
        filing_value_min: Optional[float] = None,
        filing_value_max: Optional[float] = None,
        transaction_after: Optional[Time] = None,
        transaction_before: Optional[Time] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Items[SecInsiderTrade]:
        """List insider trades, most recently filed first. Transactions and holdings of directors, officers and ten percent owners, one record per line (3, 4, 5). Costs 2 credits. `GET /api/v1/sec/insider-trades`

        limit: Page size. Values above the maximum are lowered to it; with the demo key, values above 3 are refused with 400. Default: 50.
        search: Full-text search. All words must match, in any of their forms (rate finds rates); supports "exact phrases", -exclusions, or, and beg* for words that begin so.
        after: nextCursor of the previous page: returns the items after it.
        before: prevCursor of the following page: returns the items before it.
        sort_by: Sort order; without a direction, the first one listed applies. Default: filedAt:desc.
        cik: CIK of the company; a comma-separated list matches any of its values.
        ticker: Ticker of the company; a comma-separated list matches any of its values.
        asset_key: Key of the asset; a comma-separated list matches any of its values.
        symbol: Symbol of the asset; a comma-separated list matches any of its values.
        asset_id: Id of the asset; a comma-separated list matches any of its values.
        form_type: Form type, such as 4 or 10-K; a comma-separated list matches any of its values.
        accession_number: Accession number of the filing; a comma-separated list matches any of its values.
        is_amendment: true: only amendments; false: only originals.
        include_superseded: true: also records that an amendment has replaced.
        filed_after: Filed at this time or later.
        filed_before: Filed at this time or earlier.
        as_of: Time of the past: returns what the SEC had accepted by then, without the effect of later filings; a later time is now.
        owner_cik: CIK of the owner; a comma-separated list matches any of its values.
        owner_name: Words of the owner's name; words match by prefix.
        transaction_code: Code of the transaction, such as P or S; a comma-separated list matches any of its values.
        transaction_type: Type of the transaction; a comma-separated list matches any of its values.
        is_open_market: true: only purchases and sales on the open market; false: only others.
        is_derivative: true: only derivative securities; false: only others.
        is_officer: true: only owners who are officers; false: only others.
        is_director: true: only owners who are directors; false: only others.
        value_min: Minimum value of the line.
        value_max: Maximum value of the line.
        filing_value_min: Minimum filingValue, the sum over the lines of the trade.
        filing_value_max: Maximum filingValue, the sum over the lines of the trade.
        transaction_after: Traded on a day that began at this time or later.
        transaction_before: Traded on a day that began at this time or earlier.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return Items(self._transport, "/api/v1/sec/insider-trades", {"limit": limit, "search": search, "after": after, "before": before, "sortBy": sort_by, "cik": cik, "ticker": ticker, "assetKey": asset_key, "symbol": symbol, "assetId": asset_id, "formType": form_type, "accessionNumber": accession_number, "isAmendment": is_amendment, "includeSuperseded": include_superseded, "filedAfter": filed_after, "filedBefore": filed_before, "asOf": as_of, "ownerCik": owner_cik, "ownerName": owner_name, "transactionCode": transaction_code, "transactionType": transaction_type, "isOpenMarket": is_open_market, "isDerivative": is_derivative, "isOfficer": is_officer, "isDirector": is_director, "valueMin": value_min, "valueMax": value_max, "filingValueMin": filing_value_min, "filingValueMax": filing_value_max, "transactionAfter": transaction_after, "transactionBefore": transaction_before, "fields": fields})

    def get(
        self,
        id: str,
        *,
        as_of: Optional[Time] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> SecInsiderTrade:
        """Get a record of insider trades. Costs 1 credit. `GET /api/v1/sec/insider-trades/:id`

        as_of: Time of the past: returns what the SEC had accepted by then, without the effect of later filings; a later time is now.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return self._transport.send("GET", f"/api/v1/sec/insider-trades/{_segment(id)}", {"asOf": as_of, "fields": fields})["data"]


class SecFinancialFilingsResource(_Resource):
    """The endpoints of sec financial filings."""

    def list(
        self,
        *,
        limit: Optional[int] = None,
        search: Optional[str] = None,
        after: Optional[str] = None,
        before: Optional[str] = None,
        sort_by: Optional[Literal["filedAt:desc", "filedAt:asc", "periodEnd:desc", "periodEnd:asc", "filedAt", "periodEnd"]] = None,
        cik: Optional[Union[str, Sequence[str]]] = None,
        ticker: Optional[Union[str, Sequence[str]]] = None,
        asset_key: Optional[Union[str, Sequence[str]]] = None,
        symbol: Optional[Union[str, Sequence[str]]] = None,
        asset_id: Optional[Union[str, Sequence[str]]] = None,
        form_type: Optional[Union[str, Sequence[str]]] = None,
        accession_number: Optional[Union[str, Sequence[str]]] = None,
        is_amendment: Optional[bool] = None,
        include_superseded: Optional[bool] = None,
        filed_after: Optional[Time] = None,
        filed_before: Optional[Time] = None,
        as_of: Optional[Time] = None,
        item: Optional[Union[str, Sequence[str]]] = None,
        fiscal_year: Optional[Union[int, Sequence[int]]] = None,
        fiscal_period: Optional[Union[Literal["FY", "Q1", "Q2", "Q3", "Q4"], Sequence[Literal["FY", "Q1", "Q2", "Q3", "Q4"]]]] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Items[SecFinancialFilingItem]:
        """List financial filings, most recently filed first. Annual, quarterly and current reports with their figures (10-K, 10-Q, 20-F, 8-K). Costs 2 credits. `GET /api/v1/sec/financial-filings`

        limit: Page size. Values above the maximum are lowered to it; with the demo key, values above 3 are refused with 400. Default: 50.
        search: Full-text search. All words must match, in any of their forms (rate finds rates); supports "exact phrases", -exclusions, or, and beg* for words that begin so.
        after: nextCursor of the previous page: returns the items after it.
        before: prevCursor of the following page: returns the items before it.
        sort_by: Sort order; without a direction, the first one listed applies. Default: filedAt:desc.
        cik: CIK of the company; a comma-separated list matches any of its values.
        ticker: Ticker of the company; a comma-separated list matches any of its values.
        asset_key: Key of the asset; a comma-separated list matches any of its values.
        symbol: Symbol of the asset; a comma-separated list matches any of its values.
        asset_id: Id of the asset; a comma-separated list matches any of its values.
        form_type: Form type, such as 4 or 10-K; a comma-separated list matches any of its values.
        accession_number: Accession number of the filing; a comma-separated list matches any of its values.
        is_amendment: true: only amendments; false: only originals.
        include_superseded: true: also records that an amendment has replaced.
        filed_after: Filed at this time or later.
        filed_before: Filed at this time or earlier.
        as_of: Time of the past: returns what the SEC had accepted by then, without the effect of later filings; a later time is now.
        item: Code of an item, such as 2.02; a comma-separated list matches any of its values.
        fiscal_year: Fiscal year; a comma-separated list matches any of its values.
        fiscal_period: Fiscal period; a comma-separated list matches any of its values.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return Items(self._transport, "/api/v1/sec/financial-filings", {"limit": limit, "search": search, "after": after, "before": before, "sortBy": sort_by, "cik": cik, "ticker": ticker, "assetKey": asset_key, "symbol": symbol, "assetId": asset_id, "formType": form_type, "accessionNumber": accession_number, "isAmendment": is_amendment, "includeSuperseded": include_superseded, "filedAfter": filed_after, "filedBefore": filed_before, "asOf": as_of, "item": item, "fiscalYear": fiscal_year, "fiscalPeriod": fiscal_period, "fields": fields})

    def get(
        self,
        id: str,
        *,
        as_of: Optional[Time] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> SecFinancialFiling:
        """Get a record of financial filings. Costs 1 credit. `GET /api/v1/sec/financial-filings/:id`

        as_of: Time of the past: returns what the SEC had accepted by then, without the effect of later filings; a later time is now.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return self._transport.send("GET", f"/api/v1/sec/financial-filings/{_segment(id)}", {"asOf": as_of, "fields": fields})["data"]


class SecInstitutionalHoldingsResource(_Resource):
    """The endpoints of sec institutional holdings."""

    def list(
        self,
        *,
        limit: Optional[int] = None,
        search: Optional[str] = None,
        after: Optional[str] = None,
        before: Optional[str] = None,
        sort_by: Optional[Literal["filedAt:desc", "filedAt:asc", "valueUsd:desc", "valueUsd:asc", "filedAt", "valueUsd"]] = None,
        cik: Optional[Union[str, Sequence[str]]] = None,
        ticker: Optional[Union[str, Sequence[str]]] = None,
        asset_key: Optional[Union[str, Sequence[str]]] = None,
        symbol: Optional[Union[str, Sequence[str]]] = None,
        asset_id: Optional[Union[str, Sequence[str]]] = None,
        form_type: Optional[Union[str, Sequence[str]]] = None,
        accession_number: Optional[Union[str, Sequence[str]]] = None,
        is_amendment: Optional[bool] = None,
        include_superseded: Optional[bool] = None,
        filed_after: Optional[Time] = None,
        filed_before: Optional[Time] = None,
        as_of: Optional[Time] = None,
        manager_cik: Optional[Union[str, Sequence[str]]] = None,
        cusip: Optional[Union[str, Sequence[str]]] = None,
        position_status: Optional[Union[Literal["new", "increased", "decreased", "unchanged", "closed"], Sequence[Literal["new", "increased", "decreased", "unchanged", "closed"]]]] = None,
        value_usd_min: Optional[float] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Items[SecInstitutionalHolding]:
        """List institutional holdings, most recently filed first. Positions of managers at the end of each quarter, one record per position (13F-HR). Costs 2 credits. `GET /api/v1/sec/institutional-holdings`

        limit: Page size. Values above the maximum are lowered to it; with the demo key, values above 3 are refused with 400. Default: 50.
        search: Full-text search. All words must match, in any of their forms (rate finds rates); supports "exact phrases", -exclusions, or, and beg* for words that begin so.
        after: nextCursor of the previous page: returns the items after it.
        before: prevCursor of the following page: returns the items before it.
        sort_by: Sort order; without a direction, the first one listed applies. Default: filedAt:desc.
        cik: CIK of the company; a comma-separated list matches any of its values.
        ticker: Ticker of the company; a comma-separated list matches any of its values.
        asset_key: Key of the asset; a comma-separated list matches any of its values.
        symbol: Symbol of the asset; a comma-separated list matches any of its values.
        asset_id: Id of the asset; a comma-separated list matches any of its values.
        form_type: Form type, such as 4 or 10-K; a comma-separated list matches any of its values.
        accession_number: Accession number of the filing; a comma-separated list matches any of its values.
        is_amendment: true: only amendments; false: only originals.
        include_superseded: true: also records that an amendment has replaced.
        filed_after: Filed at this time or later.
        filed_before: Filed at this time or earlier.
        as_of: Time of the past: returns what the SEC had accepted by then, without the effect of later filings; a later time is now.
        manager_cik: CIK of the manager; a comma-separated list matches any of its values.
        cusip: CUSIP of the security; a comma-separated list matches any of its values.
        position_status: Change of the position since the previous quarter; a comma-separated list matches any of its values.
        value_usd_min: Minimum value in US dollars.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return Items(self._transport, "/api/v1/sec/institutional-holdings", {"limit": limit, "search": search, "after": after, "before": before, "sortBy": sort_by, "cik": cik, "ticker": ticker, "assetKey": asset_key, "symbol": symbol, "assetId": asset_id, "formType": form_type, "accessionNumber": accession_number, "isAmendment": is_amendment, "includeSuperseded": include_superseded, "filedAfter": filed_after, "filedBefore": filed_before, "asOf": as_of, "managerCik": manager_cik, "cusip": cusip, "positionStatus": position_status, "valueUsdMin": value_usd_min, "fields": fields})

    def get(
        self,
        id: str,
        *,
        as_of: Optional[Time] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> SecInstitutionalHolding:
        """Get a record of institutional holdings. Costs 1 credit. `GET /api/v1/sec/institutional-holdings/:id`

        as_of: Time of the past: returns what the SEC had accepted by then, without the effect of later filings; a later time is now.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return self._transport.send("GET", f"/api/v1/sec/institutional-holdings/{_segment(id)}", {"asOf": as_of, "fields": fields})["data"]


class SecBeneficialOwnershipResource(_Resource):
    """The endpoints of sec beneficial ownership."""

    def list(
        self,
        *,
        limit: Optional[int] = None,
        search: Optional[str] = None,
        after: Optional[str] = None,
        before: Optional[str] = None,
        sort_by: Optional[Literal["filedAt:desc", "filedAt:asc", "filedAt"]] = None,
        cik: Optional[Union[str, Sequence[str]]] = None,
        ticker: Optional[Union[str, Sequence[str]]] = None,
        asset_key: Optional[Union[str, Sequence[str]]] = None,
        symbol: Optional[Union[str, Sequence[str]]] = None,
        asset_id: Optional[Union[str, Sequence[str]]] = None,
        form_type: Optional[Union[str, Sequence[str]]] = None,
        accession_number: Optional[Union[str, Sequence[str]]] = None,
        is_amendment: Optional[bool] = None,
        include_superseded: Optional[bool] = None,
        filed_after: Optional[Time] = None,
        filed_before: Optional[Time] = None,
        as_of: Optional[Time] = None,
        is_activist: Optional[bool] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Items[SecBeneficialOwnership]:
        """List beneficial ownership, most recently filed first. Stakes of more than five percent, activist (13D) and passive (13G) (SC 13D, SC 13G). Costs 2 credits. `GET /api/v1/sec/beneficial-ownership`

        limit: Page size. Values above the maximum are lowered to it; with the demo key, values above 3 are refused with 400. Default: 50.
        search: Full-text search. All words must match, in any of their forms (rate finds rates); supports "exact phrases", -exclusions, or, and beg* for words that begin so.
        after: nextCursor of the previous page: returns the items after it.
        before: prevCursor of the following page: returns the items before it.
        sort_by: Sort order; without a direction, the first one listed applies. Default: filedAt:desc.
        cik: CIK of the company; a comma-separated list matches any of its values.
        ticker: Ticker of the company; a comma-separated list matches any of its values.
        asset_key: Key of the asset; a comma-separated list matches any of its values.
        symbol: Symbol of the asset; a comma-separated list matches any of its values.
        asset_id: Id of the asset; a comma-separated list matches any of its values.
        form_type: Form type, such as 4 or 10-K; a comma-separated list matches any of its values.
        accession_number: Accession number of the filing; a comma-separated list matches any of its values.
        is_amendment: true: only amendments; false: only originals.
        include_superseded: true: also records that an amendment has replaced.
        filed_after: Filed at this time or later.
        filed_before: Filed at this time or earlier.
        as_of: Time of the past: returns what the SEC had accepted by then, without the effect of later filings; a later time is now.
        is_activist: true: only activist stakes; false: only passive ones.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return Items(self._transport, "/api/v1/sec/beneficial-ownership", {"limit": limit, "search": search, "after": after, "before": before, "sortBy": sort_by, "cik": cik, "ticker": ticker, "assetKey": asset_key, "symbol": symbol, "assetId": asset_id, "formType": form_type, "accessionNumber": accession_number, "isAmendment": is_amendment, "includeSuperseded": include_superseded, "filedAfter": filed_after, "filedBefore": filed_before, "asOf": as_of, "isActivist": is_activist, "fields": fields})

    def get(
        self,
        id: str,
        *,
        as_of: Optional[Time] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> SecBeneficialOwnership:
        """Get a record of beneficial ownership. Costs 1 credit. `GET /api/v1/sec/beneficial-ownership/:id`

        as_of: Time of the past: returns what the SEC had accepted by then, without the effect of later filings; a later time is now.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return self._transport.send("GET", f"/api/v1/sec/beneficial-ownership/{_segment(id)}", {"asOf": as_of, "fields": fields})["data"]


class SecPrivatePlacementsResource(_Resource):
    """The endpoints of sec private placements."""

    def list(
        self,
        *,
        limit: Optional[int] = None,
        search: Optional[str] = None,
        after: Optional[str] = None,
        before: Optional[str] = None,
        sort_by: Optional[Literal["filedAt:desc", "filedAt:asc", "filedAt"]] = None,
        cik: Optional[Union[str, Sequence[str]]] = None,
        ticker: Optional[Union[str, Sequence[str]]] = None,
        asset_key: Optional[Union[str, Sequence[str]]] = None,
        symbol: Optional[Union[str, Sequence[str]]] = None,
        asset_id: Optional[Union[str, Sequence[str]]] = None,
        form_type: Optional[Union[str, Sequence[str]]] = None,
        accession_number: Optional[Union[str, Sequence[str]]] = None,
        is_amendment: Optional[bool] = None,
        include_superseded: Optional[bool] = None,
        filed_after: Optional[Time] = None,
        filed_before: Optional[Time] = None,
        as_of: Optional[Time] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Items[SecPrivatePlacement]:
        """List private placements, most recently filed first. Offerings that are exempt from registration (D). Costs 2 credits. `GET /api/v1/sec/private-placements`

        limit: Page size. Values above the maximum are lowered to it; with the demo key, values above 3 are refused with 400. Default: 50.
        search: Full-text search. All words must match, in any of their forms (rate finds rates); supports "exact phrases", -exclusions, or, and beg* for words that begin so.
        after: nextCursor of the previous page: returns the items after it.
        before: prevCursor of the following page: returns the items before it.
        sort_by: Sort order; without a direction, the first one listed applies. Default: filedAt:desc.
        cik: CIK of the company; a comma-separated list matches any of its values.
        ticker: Ticker of the company; a comma-separated list matches any of its values.
        asset_key: Key of the asset; a comma-separated list matches any of its values.
        symbol: Symbol of the asset; a comma-separated list matches any of its values.
        asset_id: Id of the asset; a comma-separated list matches any of its values.
        form_type: Form type, such as 4 or 10-K; a comma-separated list matches any of its values.
        accession_number: Accession number of the filing; a comma-separated list matches any of its values.
        is_amendment: true: only amendments; false: only originals.
        include_superseded: true: also records that an amendment has replaced.
        filed_after: Filed at this time or later.
        filed_before: Filed at this time or earlier.
        as_of: Time of the past: returns what the SEC had accepted by then, without the effect of later filings; a later time is now.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return Items(self._transport, "/api/v1/sec/private-placements", {"limit": limit, "search": search, "after": after, "before": before, "sortBy": sort_by, "cik": cik, "ticker": ticker, "assetKey": asset_key, "symbol": symbol, "assetId": asset_id, "formType": form_type, "accessionNumber": accession_number, "isAmendment": is_amendment, "includeSuperseded": include_superseded, "filedAfter": filed_after, "filedBefore": filed_before, "asOf": as_of, "fields": fields})

    def get(
        self,
        id: str,
        *,
        as_of: Optional[Time] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> SecPrivatePlacement:
        """Get a record of private placements. Costs 1 credit. `GET /api/v1/sec/private-placements/:id`

        as_of: Time of the past: returns what the SEC had accepted by then, without the effect of later filings; a later time is now.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return self._transport.send("GET", f"/api/v1/sec/private-placements/{_segment(id)}", {"asOf": as_of, "fields": fields})["data"]


class SecPlannedSalesResource(_Resource):
    """The endpoints of sec planned sales."""

    def list(
        self,
        *,
        limit: Optional[int] = None,
        search: Optional[str] = None,
        after: Optional[str] = None,
        before: Optional[str] = None,
        sort_by: Optional[Literal["filedAt:desc", "filedAt:asc", "filedAt"]] = None,
        cik: Optional[Union[str, Sequence[str]]] = None,
        ticker: Optional[Union[str, Sequence[str]]] = None,
        asset_key: Optional[Union[str, Sequence[str]]] = None,
        symbol: Optional[Union[str, Sequence[str]]] = None,
        asset_id: Optional[Union[str, Sequence[str]]] = None,
        form_type: Optional[Union[str, Sequence[str]]] = None,
        accession_number: Optional[Union[str, Sequence[str]]] = None,
        is_amendment: Optional[bool] = None,
        include_superseded: Optional[bool] = None,
        filed_after: Optional[Time] = None,
        filed_before: Optional[Time] = None,
        as_of: Optional[Time] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Items[SecPlannedSale]:
        """List planned sales, most recently filed first. Sales that insiders have announced (144). Costs 2 credits. `GET /api/v1/sec/planned-sales`

        limit: Page size. Values above the maximum are lowered to it; with the demo key, values above 3 are refused with 400. Default: 50.
        search: Full-text search. All words must match, in any of their forms (rate finds rates); supports "exact phrases", -exclusions, or, and beg* for words that begin so.
        after: nextCursor of the previous page: returns the items after it.
        before: prevCursor of the following page: returns the items before it.
        sort_by: Sort order; without a direction, the first one listed applies. Default: filedAt:desc.
        cik: CIK of the company; a comma-separated list matches any of its values.
        ticker: Ticker of the company; a comma-separated list matches any of its values.
        asset_key: Key of the asset; a comma-separated list matches any of its values.
        symbol: Symbol of the asset; a comma-separated list matches any of its values.
        asset_id: Id of the asset; a comma-separated list matches any of its values.
        form_type: Form type, such as 4 or 10-K; a comma-separated list matches any of its values.
        accession_number: Accession number of the filing; a comma-separated list matches any of its values.
        is_amendment: true: only amendments; false: only originals.
        include_superseded: true: also records that an amendment has replaced.
        filed_after: Filed at this time or later.
        filed_before: Filed at this time or earlier.
        as_of: Time of the past: returns what the SEC had accepted by then, without the effect of later filings; a later time is now.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return Items(self._transport, "/api/v1/sec/planned-sales", {"limit": limit, "search": search, "after": after, "before": before, "sortBy": sort_by, "cik": cik, "ticker": ticker, "assetKey": asset_key, "symbol": symbol, "assetId": asset_id, "formType": form_type, "accessionNumber": accession_number, "isAmendment": is_amendment, "includeSuperseded": include_superseded, "filedAfter": filed_after, "filedBefore": filed_before, "asOf": as_of, "fields": fields})

    def get(
        self,
        id: str,
        *,
        as_of: Optional[Time] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> SecPlannedSale:
        """Get a record of planned sales. Costs 1 credit. `GET /api/v1/sec/planned-sales/:id`

        as_of: Time of the past: returns what the SEC had accepted by then, without the effect of later filings; a later time is now.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return self._transport.send("GET", f"/api/v1/sec/planned-sales/{_segment(id)}", {"asOf": as_of, "fields": fields})["data"]


class SecMaterialEventsResource(_Resource):
    """The endpoints of sec material events."""

    def list(
        self,
        *,
        limit: Optional[int] = None,
        search: Optional[str] = None,
        after: Optional[str] = None,
        before: Optional[str] = None,
        sort_by: Optional[Literal["filedAt:desc", "filedAt:asc", "filedAt"]] = None,
        cik: Optional[Union[str, Sequence[str]]] = None,
        ticker: Optional[Union[str, Sequence[str]]] = None,
        asset_key: Optional[Union[str, Sequence[str]]] = None,
        symbol: Optional[Union[str, Sequence[str]]] = None,
        asset_id: Optional[Union[str, Sequence[str]]] = None,
        form_type: Optional[Union[str, Sequence[str]]] = None,
        accession_number: Optional[Union[str, Sequence[str]]] = None,
        is_amendment: Optional[bool] = None,
        include_superseded: Optional[bool] = None,
        filed_after: Optional[Time] = None,
        filed_before: Optional[Time] = None,
        as_of: Optional[Time] = None,
        item: Optional[Union[str, Sequence[str]]] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Items[SecMaterialEvent]:
        """List material events, most recently filed first. Current reports by the items they report (8-K). Costs 2 credits. `GET /api/v1/sec/material-events`

        limit: Page size. Values above the maximum are lowered to it; with the demo key, values above 3 are refused with 400. Default: 50.
        search: Full-text search. All words must match, in any of their forms (rate finds rates); supports "exact phrases", -exclusions, or, and beg* for words that begin so.
        after: nextCursor of the previous page: returns the items after it.
        before: prevCursor of the following page: returns the items before it.
        sort_by: Sort order; without a direction, the first one listed applies. Default: filedAt:desc.
        cik: CIK of the company; a comma-separated list matches any of its values.
        ticker: Ticker of the company; a comma-separated list matches any of its values.
        asset_key: Key of the asset; a comma-separated list matches any of its values.
        symbol: Symbol of the asset; a comma-separated list matches any of its values.
        asset_id: Id of the asset; a comma-separated list matches any of its values.
        form_type: Form type, such as 4 or 10-K; a comma-separated list matches any of its values.
        accession_number: Accession number of the filing; a comma-separated list matches any of its values.
        is_amendment: true: only amendments; false: only originals.
        include_superseded: true: also records that an amendment has replaced.
        filed_after: Filed at this time or later.
        filed_before: Filed at this time or earlier.
        as_of: Time of the past: returns what the SEC had accepted by then, without the effect of later filings; a later time is now.
        item: Code of an item, such as 5.02; a comma-separated list matches any of its values.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return Items(self._transport, "/api/v1/sec/material-events", {"limit": limit, "search": search, "after": after, "before": before, "sortBy": sort_by, "cik": cik, "ticker": ticker, "assetKey": asset_key, "symbol": symbol, "assetId": asset_id, "formType": form_type, "accessionNumber": accession_number, "isAmendment": is_amendment, "includeSuperseded": include_superseded, "filedAfter": filed_after, "filedBefore": filed_before, "asOf": as_of, "item": item, "fields": fields})

    def get(
        self,
        id: str,
        *,
        as_of: Optional[Time] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> SecMaterialEvent:
        """Get a record of material events. Costs 1 credit. `GET /api/v1/sec/material-events/:id`

        as_of: Time of the past: returns what the SEC had accepted by then, without the effect of later filings; a later time is now.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return self._transport.send("GET", f"/api/v1/sec/material-events/{_segment(id)}", {"asOf": as_of, "fields": fields})["data"]


class SecResource(_Resource):
    """The endpoints of sec."""

    def __init__(self, transport: _Transport) -> None:
        super().__init__(transport)
        self.insider_trades = SecInsiderTradesResource(transport)
        self.financial_filings = SecFinancialFilingsResource(transport)
        self.institutional_holdings = SecInstitutionalHoldingsResource(transport)
        self.beneficial_ownership = SecBeneficialOwnershipResource(transport)
        self.private_placements = SecPrivatePlacementsResource(transport)
        self.planned_sales = SecPlannedSalesResource(transport)
        self.material_events = SecMaterialEventsResource(transport)

    def datasets(
        self,
        *,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Rows[SecDataset]:
        """List the SEC datasets with their fields and record counts. Costs 1 credit. `GET /api/v1/sec/datasets`

        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return Rows(self._transport.send("GET", "/api/v1/sec/datasets", {"fields": fields})["data"])


class ExportsResource(_Exports):
    """The endpoints of exports."""

    def files(
        self,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        dataset: Optional[Union[Literal["entries", "signals", "insider-trades", "financial-filings", "institutional-holdings", "beneficial-ownership", "private-placements", "planned-sales", "material-events"], Sequence[Literal["entries", "signals", "insider-trades", "financial-filings", "institutional-holdings", "beneficial-ownership", "private-placements", "planned-sales", "material-events"]]]] = None,
        day_after: Optional[Time] = None,
        day_before: Optional[Time] = None,
        include_superseded: Optional[bool] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Items[ExportFile]:
        """List the daily export files, latest day first. Each dataset has a Parquet file per UTC day, built within two hours after the day. If records of the last seven days change, another file supersedes it. Days without records have no file. Costs 1 credit. `GET /api/v1/export/files`

        limit: Page size. Values above the maximum are lowered to it; with the demo key, values above 3 are refused with 400. Default: 50.
        offset: Number of items to skip. Default: 0.
        dataset: Name of a dataset; a comma-separated list matches any of its values.
        day_after: Files of this day and later ones.
        day_before: Files of this day and earlier ones.
        include_superseded: true: also files that others supersede.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return Items(self._transport, "/api/v1/export/files", {"limit": limit, "offset": offset, "dataset": dataset, "dayAfter": day_after, "dayBefore": day_before, "includeSuperseded": include_superseded, "fields": fields})


class SignalsResource(_Resource):
    """The endpoints of signals."""

    def list(
        self,
        *,
        limit: Optional[int] = None,
        search: Optional[str] = None,
        after: Optional[str] = None,
        before: Optional[str] = None,
        sort_by: Optional[Literal["generatedAt:desc", "generatedAt:asc", "strength:desc", "strength:asc", "confidence:desc", "confidence:asc", "updatedAt:desc", "updatedAt:asc", "generatedAt", "strength", "confidence", "updatedAt"]] = None,
        kind: Optional[Union[Literal["sentiment_shift", "news_volume_spike", "breaking_cluster", "insider_cluster_buy", "insider_large_sale", "activist_stake", "material_event", "prediction_market_move", "price_news_divergence"], Sequence[Literal["sentiment_shift", "news_volume_spike", "breaking_cluster", "insider_cluster_buy", "insider_large_sale", "activist_stake", "material_event", "prediction_market_move", "price_news_divergence"]]]] = None,
        direction: Optional[Union[Literal["bullish", "bearish", "neutral"], Sequence[Literal["bullish", "bearish", "neutral"]]]] = None,
        asset_key: Optional[Union[str, Sequence[str]]] = None,
        ticker: Optional[Union[str, Sequence[str]]] = None,
        symbol: Optional[Union[str, Sequence[str]]] = None,
        strength_min: Optional[float] = None,
        confidence_min: Optional[float] = None,
        asset_id: Optional[Union[str, Sequence[str]]] = None,
        horizon: Optional[Union[Literal["intraday", "1d", "1w", "1mo"], Sequence[Literal["intraday", "1d", "1w", "1mo"]]]] = None,
        status: Optional[Union[Literal["active", "expired", "superseded"], Sequence[Literal["active", "expired", "superseded"]]]] = None,
        generated_after: Optional[Time] = None,
        generated_before: Optional[Time] = None,
        updated_after: Optional[Time] = None,
        as_of: Optional[Time] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Items[Signal]:
        """List signals, newest first. Costs 2 credits. `GET /api/v1/signals`

        limit: Page size. Values above the maximum are lowered to it; with the demo key, values above 3 are refused with 400. Default: 50.
        search: Full-text search. All words must match, in any of their forms (rate finds rates); supports "exact phrases", -exclusions, or, and beg* for words that begin so.
        after: nextCursor of the previous page: returns the items after it.
        before: prevCursor of the following page: returns the items before it.
        sort_by: Sort order; without a direction, the first one listed applies. Default: generatedAt:desc.
        kind: Kind; a comma-separated list matches any of its values.
        direction: Direction; a comma-separated list matches any of its values.
        asset_key: Key of the asset; a comma-separated list matches any of its values.
        ticker: Symbol of the asset; a comma-separated list matches any of its values.
        symbol: The same as ticker; a comma-separated list matches any of its values.
        strength_min: Minimum strength.
        confidence_min: Minimum confidence.
        asset_id: Id of the asset; a comma-separated list matches any of its values.
        horizon: Horizon; a comma-separated list matches any of its values.
        status: Status; a comma-separated list matches any of its values.
        generated_after: Generated at this time or later.
        generated_before: Generated at this time or earlier.
        updated_after: Found, changed or superseded at this time or later. To poll, send the last updatedAt less a minute, since a change is visible shortly after its time.
        as_of: Time of the past: returns the signals of then, as they were: no later change, expiry or outcome; a later time is now.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return Items(self._transport, "/api/v1/signals", {"limit": limit, "search": search, "after": after, "before": before, "sortBy": sort_by, "kind": kind, "direction": direction, "assetKey": asset_key, "ticker": ticker, "symbol": symbol, "strengthMin": strength_min, "confidenceMin": confidence_min, "assetId": asset_id, "horizon": horizon, "status": status, "generatedAfter": generated_after, "generatedBefore": generated_before, "updatedAfter": updated_after, "asOf": as_of, "fields": fields})

    def stream(
        self,
        *,
        kind: Optional[Union[Literal["sentiment_shift", "news_volume_spike", "breaking_cluster", "insider_cluster_buy", "insider_large_sale", "activist_stake", "material_event", "prediction_market_move", "price_news_divergence"], Sequence[Literal["sentiment_shift", "news_volume_spike", "breaking_cluster", "insider_cluster_buy", "insider_large_sale", "activist_stake", "material_event", "prediction_market_move", "price_news_divergence"]]]] = None,
        direction: Optional[Union[Literal["bullish", "bearish", "neutral"], Sequence[Literal["bullish", "bearish", "neutral"]]]] = None,
        asset_key: Optional[Union[str, Sequence[str]]] = None,
        ticker: Optional[Union[str, Sequence[str]]] = None,
        symbol: Optional[Union[str, Sequence[str]]] = None,
        strength_min: Optional[float] = None,
        confidence_min: Optional[float] = None,
        last_event_id: Optional[int] = None,
    ) -> EventStream[SignalStreamSignal]:
        """Stream new signals as server-sent events. Opening a stream is free; each minute costs credits. The time of all streams of an account is summed, and the rest of a started minute counts for the next stream. The first event is `ready`. `signal` follows for each new signal with `change` new, and again with the same `signal.id` and `change` updated if it becomes stronger or has much more evidence. There are no events for expiry, supersession or outcomes. `heartbeat` follows every 15 seconds. Before the service closes the stream, `closing` gives the reason and when to reconnect. The id of an event is an integer that orders the events; the id of the signal is `data.signal.id`. To resume, send the id of the last event: missed events are sent first, up to 24 hours back. `gap` names events that are no longer available; if its id is lower than yours, the service was restored from a backup. Costs 5 credits per minute. `GET /api/v1/signals/stream`

        kind: Kind; a comma-separated list matches any of its values.
        direction: Direction; a comma-separated list matches any of its values.
        asset_key: Key of the asset; a comma-separated list matches any of its values.
        ticker: Symbol of the asset; a comma-separated list matches any of its values.
        symbol: The same as ticker; a comma-separated list matches any of its values.
        strength_min: Minimum strength.
        confidence_min: Minimum confidence.
        last_event_id: Id of the last event you received: the stream first sends what you missed. The header Last-Event-ID does the same and takes precedence.
        """
        return EventStream(self._transport, "/api/v1/signals/stream", {"kind": kind, "direction": direction, "assetKey": asset_key, "ticker": ticker, "symbol": symbol, "strengthMin": strength_min, "confidenceMin": confidence_min, "lastEventId": last_event_id})

    def get(
        self,
        id: str,
        *,
        as_of: Optional[Time] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Signal:
        """Get a signal. Costs 1 credit. `GET /api/v1/signals/:id`

        as_of: Time of the past: returns the signals of then, as they were: no later change, expiry or outcome; a later time is now.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return self._transport.send("GET", f"/api/v1/signals/{_segment(id)}", {"asOf": as_of, "fields": fields})["data"]

    def by_entry(
        self,
        id: str,
        *,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Rows[Signal]:
        """List the signals that have an entry as evidence, newest first. Costs 1 credit. `GET /api/v1/signals/by-entry/:id`

        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return Rows(self._transport.send("GET", f"/api/v1/signals/by-entry/{_segment(id)}", {"fields": fields})["data"])


class ChangesResource(_Resource):
    """The endpoints of changes."""

    def list(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        before: Optional[str] = None,
        sort_by: Optional[Literal["id:asc", "id:desc"]] = None,
        type: Optional[Union[Literal["entry", "filing", "market", "prediction-market"], Sequence[Literal["entry", "filing", "market", "prediction-market"]]]] = None,
        dataset: Optional[Union[Literal["insider-trades", "financial-filings", "institutional-holdings", "beneficial-ownership", "private-placements", "planned-sales", "material-events"], Sequence[Literal["insider-trades", "financial-filings", "institutional-holdings", "beneficial-ownership", "private-placements", "planned-sales", "material-events"]]]] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Items[Change]:
        """List inserts, revisions and removals of records, in the order of commits. Keeps a mirror exact: insert and replace records by `recordId`, delete them after a removal, and ask again with the id of the last change as `after`. Changes are in the order of commits, oldest first; none is added before one that you have read. The list reaches back to the first record, so a new mirror starts without `after`. To start with an export or with the lists instead, first take the id of the newest change, `sortBy=id:desc&limit=1`, and follow from there. Records are current. A record has at most one insert and one revision in the list: a later revision replaces the one before, and a removal both. Entries are revised when their text or what is derived from it changes, prediction markets with every change of a field, odds included, and filings also when another filing supersedes them or changes the sum of their trade. Markets are revised when their description changes, but not by prices: lastPrice and all figures from candles, intervals, historyStartAt and updatedAt may be older in a mirror. Filings are listed on plans with SEC data. Costs 1 credit. `GET /api/v1/changes`

        limit: Page size. Values above the maximum are lowered to it; with the demo key, values above 3 are refused with 400. Default: 50.
        after: Id of the last change you have read, or nextCursor: returns the changes after it.
        before: Id of a change, or prevCursor: returns the changes before it.
        sort_by: Sort order. Default: id:asc.
        type: Kind of record; a comma-separated list matches any of its values.
        dataset: SEC dataset of filings; other types are not affected; a comma-separated list matches any of its values.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return Items(self._transport, "/api/v1/changes", {"limit": limit, "after": after, "before": before, "sortBy": sort_by, "type": type, "dataset": dataset, "fields": fields})


class StatsResource(_Resource):
    """The endpoints of stats."""

    def get(
        self,
        *,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Stats:
        """Get record counts of this server and hit rates of signals by kind. Costs nothing. `GET /api/v1/stats`

        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return self._transport.send("GET", "/api/v1/stats", {"fields": fields})["data"]

    def languages(
        self,
        *,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Rows[StatLanguage]:
        """List the number of entries per detected language, most first. Costs 1 credit. `GET /api/v1/stats/languages`

        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return Rows(self._transport.send("GET", "/api/v1/stats/languages", {"fields": fields})["data"])


class AccountAlertsResource(_Resource):
    """The endpoints of account alerts."""

    def get(
        self,
        *,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> AccountAlerts:
        """Get how the account is told about a low balance. Costs nothing. `GET /api/v1/account/alerts`

        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return self._transport.send("GET", "/api/v1/account/alerts", {"fields": fields})["data"]

    def update(
        self,
        *,
        low_balance: Union[Optional[int], Unset] = UNSET,
        webhook_url: Union[Optional[str], Unset] = UNSET,
        email: Union[bool, Unset] = UNSET,
    ) -> UpdatedAccountAlerts:
        """Change how the account is told about a low balance. Each fall of the balance below lowBalance is told once. The webhook is a POST request with the JSON `{id, type: "balance.low", createdAt, data: {accountId, threshold, balance}}` and the header `Mintick-Signature: t=<seconds>,v1=<hex>`, where v1 is the HMAC-SHA-256 of `<seconds>.<body>` with the secret. It is repeated for up to 21 hours until the answer has a status from 200 to 299; repetitions have the same id. Costs nothing. `PATCH /api/v1/account/alerts`

        low_balance: Balance below which the account is told; null turns alerts off.
        webhook_url: http or https URL at a public address; null for none.
        email: Whether to send a mail to the email address of the account.
        """
        return self._transport.send("PATCH", "/api/v1/account/alerts", body={"lowBalance": low_balance, "webhookUrl": webhook_url, "email": email})["data"]


class AccountKeysResource(_Resource):
    """The endpoints of account keys."""

    def create(
        self,
        *,
        name: str,
        expires_at: Union[Optional[str], Unset] = UNSET,
        scopes: Union[Optional[List[Literal["data", "account", "billing"]]], Unset] = UNSET,
        allowed_addresses: Union[Optional[List[str]], Unset] = UNSET,
        idempotency_key: Optional[str] = None,
    ) -> CreatedAccountApiKey:
        """Create an API key. Only this response contains the full key. Costs nothing. `POST /api/v1/account/api-keys`

        name: Name that tells the key from others.
        expires_at: ISO 8601 time; needs the Professional plan or higher.
        scopes: Areas of the API that the key may use: account for /account, billing for /billing, data for everything else; null for all.
        allowed_addresses: IPv4 and IPv6 addresses and networks from which the key may be used, such as 192.0.2.7 or 2001:db8::/32; null for all.
        """
        return self._transport.send("POST", "/api/v1/account/api-keys", body={"name": name, "expiresAt": expires_at, "scopes": scopes, "allowedAddresses": allowed_addresses}, idempotency_key=idempotency_key, secret="apiKey")["data"]

    def list(
        self,
        *,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Rows[AccountApiKey]:
        """List the API keys of this account. Costs nothing. `GET /api/v1/account/api-keys`

        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return Rows(self._transport.send("GET", "/api/v1/account/api-keys", {"fields": fields})["data"])

    def update(
        self,
        id: str,
        *,
        name: Union[str, Unset] = UNSET,
        scopes: Union[Optional[List[Literal["data", "account", "billing"]]], Unset] = UNSET,
        allowed_addresses: Union[Optional[List[str]], Unset] = UNSET,
    ) -> AccountApiKey:
        """Change the name or the restrictions of an API key. Applies before the response is sent, also to open streams and bulk exports. A restricted key can change only keys with the same restrictions or more. Costs nothing. `PATCH /api/v1/account/api-keys/:id`

        name: Name that tells the key from others.
        scopes: Areas of the API that the key may use: account for /account, billing for /billing, data for everything else; null for all.
        allowed_addresses: IPv4 and IPv6 addresses and networks from which the key may be used, such as 192.0.2.7 or 2001:db8::/32; null for all.
        """
        return self._transport.send("PATCH", f"/api/v1/account/api-keys/{_segment(id)}", body={"name": name, "scopes": scopes, "allowedAddresses": allowed_addresses})["data"]

    def rotate(
        self,
        id: str,
        *,
        overlap_hours: Union[float, Unset] = UNSET,
        idempotency_key: Optional[str] = None,
    ) -> CreatedAccountApiKey:
        """Replace the secret of an API key. Only this response contains the new secret. Both secrets are the same key, with one id, one rate and one usage, until the overlap ends. The old one stops at once if the key is rotated again or revoked. Costs nothing. `POST /api/v1/account/api-keys/:id/rotate`

        overlap_hours: Hours for which the current secret goes on working, by default 24; with 0 it stops at once.
        """
        return self._transport.send("POST", f"/api/v1/account/api-keys/{_segment(id)}/rotate", body={"overlapHours": overlap_hours}, idempotency_key=idempotency_key, secret="apiKey")["data"]

    def delete(self, id: str) -> AccountApiKey:
        """Revoke an API key immediately. Costs nothing. `DELETE /api/v1/account/api-keys/:id`"""
        return self._transport.send("DELETE", f"/api/v1/account/api-keys/{_segment(id)}")["data"]


class AccountResource(_Resource):
    """The endpoints of account."""

    def __init__(self, transport: _Transport) -> None:
        super().__init__(transport)
        self.alerts = AccountAlertsResource(transport)
        self.keys = AccountKeysResource(transport)

    def get(
        self,
        *,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Account:
        """Get the account of this key, with its plan and balance. Costs nothing. `GET /api/v1/account`

        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return self._transport.send("GET", "/api/v1/account", {"fields": fields})["data"]

    def usage(
        self,
        *,
        from_: Optional[Time] = None,
        to: Optional[Time] = None,
        group_by: Optional[Union[Literal["day", "key", "endpoint"], Sequence[Literal["day", "key", "endpoint"]]]] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> AccountUsage:
        """Get the usage of the account in its current billing month or in a range of time. Costs nothing. `GET /api/v1/account/usage`

        from_: Start of the usage; by default that of the billing month, the current one or that in which `to` lies.
        to: End of the usage, which is not part of it; by default that of the current billing month. Of a day whose requests were removed from the log, a part counts as the whole day.
        group_by: Adds `groups` to the answer: the usage by day, key or endpoint, or by each combination of several of them, separated by commas; at most 10000 groups.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return self._transport.send("GET", "/api/v1/account/usage", {"from": from_, "to": to, "groupBy": group_by, "fields": fields})["data"]

    def cost(
        self,
        *,
        path: str,
        method: Optional[Literal["GET", "POST", "PATCH", "DELETE"]] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> AccountCost:
        """Get what a call would cost, and whether it would pass now. The call is checked as if it were made, but neither run nor charged nor counted. A call that would be refused is described by error; only a path that is missing or none is answered with 400. Like every request, this one counts towards the rate limits. Costs nothing. `GET /api/v1/account/cost`

        path: Path and query string of the call, percent-encoded, such as %2Fentries%3Flimit%3D5 for /entries?limit=5; below /api/v1, which may be left out.
        method: Method of the call. Default: GET.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return self._transport.send("GET", "/api/v1/account/cost", {"path": path, "method": method, "fields": fields})["data"]

    def logs(
        self,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        sort_by: Optional[Literal["createdAt:desc"]] = None,
        api_key_id: Optional[Union[str, Sequence[str]]] = None,
        exclude_api_key_id: Optional[str] = None,
        route: Optional[Union[str, Sequence[str]]] = None,
        method: Optional[Union[str, Sequence[str]]] = None,
        path: Optional[str] = None,
        status_code: Optional[Union[int, Sequence[int]]] = None,
        created_after: Optional[Time] = None,
        created_before: Optional[Time] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Items[AccountLog]:
        """List the requests of this account, newest first. Costs nothing. `GET /api/v1/account/logs`

        limit: Page size. Values above the maximum are lowered to it; with the demo key, values above 3 are refused with 400. Default: 50.
        offset: Number of items to skip. Default: 0.
        sort_by: Sort order. Default: createdAt:desc.
        api_key_id: Id of the API key; a comma-separated list matches any of its values.
        exclude_api_key_id: Id of an API key whose requests are left out.
        route: Method and path pattern, such as GET /entries/:id; a comma-separated list matches any of its values.
        method: HTTP method; a comma-separated list matches any of its values.
        path: Path of the request.
        status_code: HTTP status; a comma-separated list matches any of its values.
        created_after: Requested at this time or later.
        created_before: Requested at this time or earlier.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return Items(self._transport, "/api/v1/account/logs", {"limit": limit, "offset": offset, "sortBy": sort_by, "apiKeyId": api_key_id, "excludeApiKeyId": exclude_api_key_id, "route": route, "method": method, "path": path, "statusCode": status_code, "createdAfter": created_after, "createdBefore": created_before, "fields": fields})

    def exports(
        self,
        request_id: str,
        *,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> AccountExport:
        """Get what became of a bulk export. Tells whether the file is complete, and its checksum. The id is the X-Request-Id of the answer. Costs nothing. `GET /api/v1/account/exports/:requestId`

        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return self._transport.send("GET", f"/api/v1/account/exports/{_segment(request_id)}", {"fields": fields})["data"]


class BillingCheckoutResource(_Resource):
    """The endpoints of billing checkout."""

    def create(
        self,
        *,
        package_id: Literal["credits_1000", "credits_5000", "credits_10000", "credits_50000"],
        idempotency_key: Optional[str] = None,
    ) -> CreatedBillingCheckout:
        """Buy a credit pack. Send the buyer to checkoutUrl, a page of the payment processor. The credits are added once the payment is confirmed, and do not expire. Costs nothing. `POST /api/v1/billing/checkout`

        package_id: Credit pack to buy.
        """
        return self._transport.send("POST", "/api/v1/billing/checkout", body={"packageId": package_id}, idempotency_key=idempotency_key)["data"]

    def get(
        self,
        session_id: str,
        *,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> BillingCheckout:
        """Get the state of a checkout, for a pack or a plan. A checkout is open until the buyer has paid, processing while the payment is being confirmed, then paid or failed. An unused one expires. The credits or the plan of a paid checkout are in effect. Costs nothing. `GET /api/v1/billing/checkout/:sessionId`

        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return self._transport.send("GET", f"/api/v1/billing/checkout/{_segment(session_id)}", {"fields": fields})["data"]


class BillingSubscriptionResource(_Resource):
    """The endpoints of billing subscription."""

    def get(
        self,
        *,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> BillingSubscription:
        """Get the account's current or most recent subscription. Costs nothing. `GET /api/v1/billing/subscription`

        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return self._transport.send("GET", "/api/v1/billing/subscription", {"fields": fields})["data"]

    def create(
        self,
        *,
        plan_slug: Literal["starter", "professional", "enterprise"],
        idempotency_key: Optional[str] = None,
    ) -> CreatedBillingCheckout:
        """Subscribe to a plan. Send the buyer to checkoutUrl. Once the first month is paid, the plan takes effect and its monthly credits are added. While a checkout for the same plan is open, the request returns that checkout; a request for another plan closes it. Costs nothing. `POST /api/v1/billing/subscription`

        plan_slug: Plan to subscribe to.
        """
        return self._transport.send("POST", "/api/v1/billing/subscription", body={"planSlug": plan_slug}, idempotency_key=idempotency_key)["data"]

    def change(
        self,
        *,
        plan_slug: Literal["starter", "professional", "enterprise"],
        preview: Union[bool, Unset] = UNSET,
        idempotency_key: Optional[str] = None,
    ) -> BillingSubscriptionChange:
        """Change the plan of the subscription, or preview the change. A more expensive plan takes effect immediately: the buyer pays the difference for the rest of the period, and the difference in monthly credits is added. A cheaper plan takes effect at the end of the period; until then it is pendingPlanSlug. Choosing the current plan or a more expensive one reverts a pending change or cancellation. Costs nothing. `POST /api/v1/billing/subscription/change`

        plan_slug: Plan to subscribe to.
        preview: Only describe the change, without making it.
        """
        return self._transport.send("POST", "/api/v1/billing/subscription/change", body={"planSlug": plan_slug, "preview": preview}, idempotency_key=idempotency_key)["data"]

    def delete(self) -> BillingSubscription:
        """Cancel the subscription at the end of its period. Until then the plan stays in effect, and POST /billing/subscription/change reverts the cancellation. Returns 400 while the first payment is in progress. Costs nothing. `DELETE /api/v1/billing/subscription`"""
        return self._transport.send("DELETE", "/api/v1/billing/subscription")["data"]


class BillingResource(_Resource):
    """The endpoints of billing."""

    def __init__(self, transport: _Transport) -> None:
        super().__init__(transport)
        self.checkout = BillingCheckoutResource(transport)
        self.subscription = BillingSubscriptionResource(transport)

    def packages(
        self,
        *,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Rows[BillingPackage]:
        """List the credit packs for sale. Costs nothing. `GET /api/v1/billing/packages`

        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return Rows(self._transport.send("GET", "/api/v1/billing/packages", {"fields": fields})["data"])

    def plans(
        self,
        *,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Rows[BillingPlan]:
        """List the plans for sale and mark the plan of the account. Shows the standard plans; /account shows the plan with the overrides of the account. Costs nothing. `GET /api/v1/billing/plans`

        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return Rows(self._transport.send("GET", "/api/v1/billing/plans", {"fields": fields})["data"])

    def history(
        self,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        sort_by: Optional[Literal["createdAt:desc"]] = None,
        detail: Optional[bool] = None,
        type: Optional[Union[Literal["purchase", "subscription", "grant", "usage", "refund", "adjustment", "expiry"], Sequence[Literal["purchase", "subscription", "grant", "usage", "refund", "adjustment", "expiry"]]]] = None,
        created_after: Optional[Time] = None,
        created_before: Optional[Time] = None,
        fields: Optional[Union[str, Sequence[str]]] = None,
    ) -> Items[BillingHistory]:
        """List all changes of the balance, newest first. Usage is summed per UTC day and endpoint; detail=true lists each charge, with its request id, as long as the request log has the request. The credits of the whole history without detail add up to the balance. Costs nothing. `GET /api/v1/billing/history`

        limit: Page size. Values above the maximum are lowered to it; with the demo key, values above 3 are refused with 400. Default: 50.
        offset: Number of items to skip. Default: 0.
        sort_by: Sort order. Default: createdAt:desc.
        detail: List each charge instead of sums per UTC day and endpoint.
        type: Type of change; a comma-separated list matches any of its values.
        created_after: Posted at this time or later.
        created_before: Posted at this time or earlier.
        fields: Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.
        """
        return Items(self._transport, "/api/v1/billing/history", {"limit": limit, "offset": offset, "sortBy": sort_by, "detail": detail, "type": type, "createdAfter": created_after, "createdBefore": created_before, "fields": fields})

    def portal(
        self,
        *,
        idempotency_key: Optional[str] = None,
    ) -> BillingPortal:
        """Create a link to the payment processor's portal for cards, invoices and cancellation. Costs nothing. `POST /api/v1/billing/portal`"""
        return self._transport.send("POST", "/api/v1/billing/portal", idempotency_key=idempotency_key)["data"]


class Client(_Client):
    """The client of the data API and the account API. Reads MINTICK_URL and MINTICK_API_KEY."""

    def __init__(
        self,
        url: Optional[str] = None,
        api_key: Optional[str] = None,
        *,
        timeout: float = 30,
        max_retries: int = 2,
    ) -> None:
        api_key = api_key or os.environ.get("MINTICK_API_KEY")
        if not api_key:
            raise ValueError("Pass api_key, or set MINTICK_API_KEY")
        super().__init__(url, api_key, timeout, max_retries)
        self.service = ServiceResource(self._transport)
        self.entries = EntriesResource(self._transport)
        self.assets = AssetsResource(self._transport)
        self.topics = TopicsResource(self._transport)
        self.publishers = PublishersResource(self._transport)
        self.clusters = ClustersResource(self._transport)
        self.markets = MarketsResource(self._transport)
        self.prediction_markets = PredictionMarketsResource(self._transport)
        self.sec = SecResource(self._transport)
        self.exports = ExportsResource(self._transport)
        self.signals = SignalsResource(self._transport)
        self.changes = ChangesResource(self._transport)
        self.stats = StatsResource(self._transport)
        self.account = AccountResource(self._transport)
        self.billing = BillingResource(self._transport)


class AdminAccountsKeysResource(_Resource):
    """The endpoints of accounts keys."""

    def create(
        self,
        id: str,
        *,
        name: str,
        idempotency_key: Optional[str] = None,
    ) -> AdminAccountApiKey:
        """Create another API key for an account, for example if it lost its key. `POST /admin/accounts/:id/api-keys`

        name: Name that tells the key from others.
        """
        return self._transport.send("POST", f"/admin/accounts/{_segment(id)}/api-keys", body={"name": name}, idempotency_key=idempotency_key, secret="apiKey")["data"]

    def list(self, id: str) -> Rows[AccountApiKey]:
        """List the API keys of an account. `GET /admin/accounts/:id/api-keys`"""
        return Rows(self._transport.send("GET", f"/admin/accounts/{_segment(id)}/api-keys")["data"])

    def delete(
        self,
        id: str,
        key_id: str,
    ) -> AccountApiKey:
        """Revoke an API key of an account immediately. `DELETE /admin/accounts/:id/api-keys/:keyId`"""
        return self._transport.send("DELETE", f"/admin/accounts/{_segment(id)}/api-keys/{_segment(key_id)}")["data"]


class AdminAccountsResource(_Resource):
    """The endpoints of accounts."""

    def __init__(self, transport: _Transport) -> None:
        super().__init__(transport)
        self.keys = AdminAccountsKeysResource(transport)

    def create(
        self,
        *,
        email: str,
        name: Union[Optional[str], Unset] = UNSET,
        plan: Union[Literal["free", "starter", "professional", "enterprise", "custom"], Unset] = UNSET,
        credits: Union[int, Unset] = UNSET,
        idempotency_key: Optional[str] = None,
    ) -> CreatedAdminAccount:
        """Create an account with its first API key. credits sets the opening balance and replaces signup and monthly credits. `POST /admin/accounts`

        email: Email address of the customer; each may have one account.
        name: Name of the customer.
        plan: Slug of its plan, by default free.
        credits: Opening balance, by default the signup and monthly credits of the plan.
        """
        return self._transport.send("POST", "/admin/accounts", body={"email": email, "name": name, "plan": plan, "credits": credits}, idempotency_key=idempotency_key, secret="apiKey")["data"]

    def list(
        self,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        email: Optional[str] = None,
        email_prefix: Optional[str] = None,
        search: Optional[str] = None,
    ) -> Items[AdminAccountItem]:
        """List accounts, newest first. `GET /admin/accounts`

        limit: Page size. Values above the maximum are lowered to it; with the demo key, values above 3 are refused with 400. Default: 50.
        offset: Number of items to skip. Default: 0.
        email: Email address of the account; case-insensitive.
        email_prefix: Beginning of the email address; case-insensitive.
        search: Part of the email address or the name; the letters A to Z match in either case.
        """
        return Items(self._transport, "/admin/accounts", {"limit": limit, "offset": offset, "email": email, "emailPrefix": email_prefix, "search": search})

    def get(self, id: str) -> AdminAccount:
        """Get an account. `GET /admin/accounts/:id`"""
        return self._transport.send("GET", f"/admin/accounts/{_segment(id)}")["data"]

    def update(
        self,
        id: str,
        *,
        plan: Union[Literal["free", "starter", "professional", "enterprise", "custom"], Unset] = UNSET,
        overrides: Union[Mapping[str, Any], Unset] = UNSET,
        is_active: Union[bool, Unset] = UNSET,
        reason: Union[str, Unset] = UNSET,
    ) -> AdminAccountItem:
        """Change the plan or its overrides, or suspend the account. overrides replaces all overrides of the account. Changes apply to the next request and to open streams; the monthly credits of the plan are granted when the next billing month begins. If the plan allows fewer keys, the oldest stay active. The plan cannot be changed while a subscription determines it. `PATCH /admin/accounts/:id`

        plan: Slug of the new plan.
        overrides: Values that replace those of the plan for this account.
        is_active: false suspends the account, true enables it again.
        reason: With isActive false: why it is suspended. For operators; callers are not told.
        """
        return self._transport.send("PATCH", f"/admin/accounts/{_segment(id)}", body={"plan": plan, "overrides": overrides, "isActive": is_active, "reason": reason})["data"]

    def credits(
        self,
        id: str,
        *,
        credits: int,
        reason: str,
        idempotency_key: Optional[str] = None,
    ) -> AdminAccountItem:
        """Add credits to an account, or remove them with a negative number. `POST /admin/accounts/:id/credits`

        credits: Credits to add, or to remove if negative; not 0, and no more than the balance is removed.
        reason: Shown in the billing history of the account, and kept in the audit trail.
        """
        return self._transport.send("POST", f"/admin/accounts/{_segment(id)}/credits", body={"credits": credits, "reason": reason}, idempotency_key=idempotency_key)["data"]

    def logs(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        sort_by: Optional[Literal["createdAt:desc"]] = None,
        api_key_id: Optional[Union[str, Sequence[str]]] = None,
        exclude_api_key_id: Optional[str] = None,
        route: Optional[Union[str, Sequence[str]]] = None,
        method: Optional[Union[str, Sequence[str]]] = None,
        path: Optional[str] = None,
        status_code: Optional[Union[int, Sequence[int]]] = None,
        created_after: Optional[Time] = None,
        created_before: Optional[Time] = None,
    ) -> Items[AccountLog]:
        """List the requests of an account, newest first. `GET /admin/accounts/:id/logs`

        limit: Page size. Values above the maximum are lowered to it; with the demo key, values above 3 are refused with 400. Default: 50.
        offset: Number of items to skip. Default: 0.
        sort_by: Sort order. Default: createdAt:desc.
        api_key_id: Id of the API key; a comma-separated list matches any of its values.
        exclude_api_key_id: Id of an API key whose requests are left out.
        route: Method and path pattern, such as GET /entries/:id; a comma-separated list matches any of its values.
        method: HTTP method; a comma-separated list matches any of its values.
        path: Path of the request.
        status_code: HTTP status; a comma-separated list matches any of its values.
        created_after: Requested at this time or later.
        created_before: Requested at this time or earlier.
        """
        return Items(self._transport, f"/admin/accounts/{_segment(id)}/logs", {"limit": limit, "offset": offset, "sortBy": sort_by, "apiKeyId": api_key_id, "excludeApiKeyId": exclude_api_key_id, "route": route, "method": method, "path": path, "statusCode": status_code, "createdAfter": created_after, "createdBefore": created_before})

    def export(
        self,
        id: str,
        *,
        from_: Optional[str] = None,
    ) -> AdminAccountExport:
        """Get everything that is stored about an account. Accounts with a long request log are exported in parts: repeat the request with from until next is null. `GET /admin/accounts/:id/export`

        from_: next of the previous part; by default the first part.
        """
        return self._transport.send("GET", f"/admin/accounts/{_segment(id)}/export", {"from": from_})["data"]

    def delete(self, id: str) -> DeletedAdminAccount:
        """Delete an account: remove what identifies its owner and keep its ledger. Removes email, name, users with their sessions, names and addresses of keys, alerts, and paths and queries in the request log; revokes all keys and ends its streams. Transfers, charges and usage stay, so that all sums agree. It cannot be undone: export the account first. Refused while the account has a subscription or an open checkout. The customer at the payment processor is deleted last; the processor keeps the records of its payments. Repeat the request if it fails. `DELETE /admin/accounts/:id`"""
        return self._transport.send("DELETE", f"/admin/accounts/{_segment(id)}")["data"]


class AdminImportResource(_Resource):
    """The endpoints of import."""

    def entries(
        self,
        *,
        rows: Sequence[Any],
        update: Union[bool, Unset] = UNSET,
        idempotency_key: Optional[str] = None,
    ) -> AdminImportEntry:
        """Add entries, identified by url. An entry needs title and url. publisher is a name, or an object with name, slug and domain. Texts may contain HTML. Language, sentiment, assets, topics and clusters are derived. Existing entries stay as they are; update: true overwrites the given fields. Fields: title, url, content, excerpt, publisher, publishedAt, time, author, imageUrl, language. For example: `{"rows":[{"title":"Apple shares jump after record quarter","url":"https://news.example/1","publisher":"News Desk","publishedAt":"2026-01-31T08:00:00Z"}]}` `POST /admin/import/entries`

        rows: An object per record, at most 500.
        update: true overwrites the given fields of existing records, which otherwise stay.
        """
        return self._transport.send("POST", "/admin/import/entries", body={"rows": rows, "update": update}, idempotency_key=idempotency_key)["data"]

    def assets(
        self,
        *,
        rows: Sequence[Any],
        update: Union[bool, Unset] = UNSET,
        idempotency_key: Optional[str] = None,
    ) -> AdminImportEntry:
        """Add assets, identified by key. A new asset needs name and type. aliases are the names that identify it in entries. Existing assets stay as they are; update: true overwrites the given fields. Fields: key, symbol, name, type, status, exchange, countryCode, currency, cik, isin, figi, lei, aliases, formerSymbols, sector, industry, description, websiteUrl. For example: `{"rows":[{"key":"QUUX","name":"Quuxwell Holdings plc","type":"equity","exchange":"LSE","aliases":["Quuxwell"]}]}` `POST /admin/import/assets`

        rows: An object per record, at most 500.
        update: true overwrites the given fields of existing records, which otherwise stay.
        """
        return self._transport.send("POST", "/admin/import/assets", body={"rows": rows, "update": update}, idempotency_key=idempotency_key)["data"]

    def topics(
        self,
        *,
        rows: Sequence[Any],
        update: Union[bool, Unset] = UNSET,
        idempotency_key: Optional[str] = None,
    ) -> AdminImportEntry:
        """Add topics, identified by slug. A new topic needs name; its parent must exist or come before it. If a topic gets another parent, its descendants move with it. terms {sure, likely, hint, not, assets, fallback} replace the built-in terms; null restores them. Existing topics stay as they are; update: true overwrites the given fields. Fields: name, description, parentSlug, slug, terms. For example: `{"rows":[{"slug":"robotaxis","name":"Robotaxis","terms":{"sure":"robotaxi, driverless taxi"}}]}` `POST /admin/import/topics`

        rows: An object per record, at most 500.
        update: true overwrites the given fields of existing records, which otherwise stay.
        """
        return self._transport.send("POST", "/admin/import/topics", body={"rows": rows, "update": update}, idempotency_key=idempotency_key)["data"]

    def publishers(
        self,
        *,
        rows: Sequence[Any],
        update: Union[bool, Unset] = UNSET,
        idempotency_key: Optional[str] = None,
    ) -> AdminImportEntry:
        """Add publishers, identified by slug. A new publisher needs name and domain. A new countryCode also applies to its existing entries. Existing publishers stay as they are; update: true overwrites the given fields. Fields: slug, name, domain, homepageUrl, description, countryCode, language, type, isPaywalled, isActive. For example: `{"rows":[{"slug":"hive-post","name":"The Hive Post","domain":"hive.example","countryCode":"NZ","language":"en"}]}` `POST /admin/import/publishers`

        rows: An object per record, at most 500.
        update: true overwrites the given fields of existing records, which otherwise stay.
        """
        return self._transport.send("POST", "/admin/import/publishers", body={"rows": rows, "update": update}, idempotency_key=idempotency_key)["data"]

    def markets(
        self,
        *,
        rows: Sequence[Any],
        update: Union[bool, Unset] = UNSET,
        idempotency_key: Optional[str] = None,
    ) -> AdminImportEntry:
        """Add markets, identified by symbol. A new market needs assetKey (the key of an asset), type and quoteCurrency. Volumes are stored with volumeDecimals and quoteVolumeDecimals places, which cannot change later. Existing markets stay as they are; update: true overwrites the given fields. Fields: name, assetKey, type, venue, baseCurrency, quoteCurrency, timezone, status, symbol, volumeDecimals, quoteVolumeDecimals. For example: `{"rows":[{"symbol":"QUUX-GBP","name":"Quuxwell","assetKey":"QUUX","type":"stock","venue":"LSE","quoteCurrency":"GBP"}]}` `POST /admin/import/markets`

        rows: An object per record, at most 500.
        update: true overwrites the given fields of existing records, which otherwise stay.
        """
        return self._transport.send("POST", "/admin/import/markets", body={"rows": rows, "update": update}, idempotency_key=idempotency_key)["data"]

    def candles(
        self,
        *,
        rows: Sequence[Any],
        update: Union[bool, Unset] = UNSET,
        idempotency_key: Optional[str] = None,
    ) -> AdminImportEntry:
        """Add candles, identified by symbol, interval and openedAt. symbol (or marketId) names an existing market, interval is one of 1m, 1h, 1d; other intervals are rolled up from these. openedAt is the start of the interval in UTC. volume, quoteVolume and tradeCount may be missing. A candle is ignored where candles of a finer interval are known. Existing candles stay as they are; update: true overwrites the given fields. Fields: symbol, interval, openedAt, open, high, low, close, volume, quoteVolume, tradeCount, marketId. For example: `{"rows":[{"symbol":"QUUX-GBP","interval":"1d","openedAt":"2026-01-30","open":101.5,"high":104,"low":100.25,"close":103,"volume":120000}]}` `POST /admin/import/candles`

        rows: An object per record, at most 500.
        update: true overwrites the given fields of existing records, which otherwise stay.
        """
        return self._transport.send("POST", "/admin/import/candles", body={"rows": rows, "update": update}, idempotency_key=idempotency_key)["data"]

    def prediction_markets(
        self,
        *,
        rows: Sequence[Any],
        update: Union[bool, Unset] = UNSET,
        idempotency_key: Optional[str] = None,
    ) -> AdminImportEntry:
        """Add prediction markets, identified by slug. A row needs venue and venueMarketId, and a new market question and url. slug is by default the venue and its id. history is a list of {at, probabilities by outcome id}; its points are added to those that are known. Existing prediction markets stay as they are; update: true overwrites the given fields. Fields: slug, venue, venueMarketId, eventTitle, url, imageUrl, question, description, category, topicSlugs, assetKeys, type, status, isRealMoney, currency, probability, outcomes, volume, volume24h, liquidity, openInterest, priceChange24h, priceChange7d, openAt, closeAt, resolvedAt, resolution, rules, resolutionSource, history. For example: `{"rows":[{"venue":"kalshi","venueMarketId":"RATECUT-26DEC","question":"Will the central bank cut rates in December?","url":"https://kalshi.example/markets/ratecut","probability":0.62,"assetKeys":["SPY"],"closeAt":"2026-12-16T19:00:00Z"}]}` `POST /admin/import/prediction-markets`

        rows: An object per record, at most 500.
        update: true overwrites the given fields of existing records, which otherwise stay.
        """
        return self._transport.send("POST", "/admin/import/prediction-markets", body={"rows": rows, "update": update}, idempotency_key=idempotency_key)["data"]

    def sec(
        self,
        *,
        rows: Sequence[Any],
        update: Union[bool, Unset] = UNSET,
        idempotency_key: Optional[str] = None,
    ) -> AdminImportEntry:
        """Add SEC records, identified by id. dataset is one of insider-trades, financial-filings, institutional-holdings, beneficial-ownership, private-placements, planned-sales, material-events; the other fields are those of the dataset's records. Fields that may be null can be missing, and so can isAmendment, filingDate and filingUrl. Without an id, a record is identified by its accessionNumber and its line. Existing SEC records stay as they are; update: true overwrites the given fields. Fields: dataset, id, accessionNumber, formType, isAmendment, supersedesId, filedAt, filingDate, periodOfReport, cik, companyName, ticker, assetKey, filingUrl, sellerName, relationships, securityTitle, units, marketValue, approxSaleDate, broker. For example: `{"rows":[{"dataset":"planned-sales","accessionNumber":"0000320193-26-000001","formType":"144","filedAt":"2026-01-30T16:30:00-05:00","cik":"320193","companyName":"Apple Inc.","ticker":"AAPL","assetKey":"AAPL","sellerName":"Ada Example","relationships":["Officer"],"securityTitle":"Common Stock","units":1000,"marketValue":230000,"approxSaleDate":"2026-02-02"}]}` `POST /admin/import/sec`

        rows: An object per record, at most 500.
        update: true overwrites the given fields of existing records, which otherwise stay.
        """
        return self._transport.send("POST", "/admin/import/sec", body={"rows": rows, "update": update}, idempotency_key=idempotency_key)["data"]


class AdminEntriesResource(_Resource):
    """The endpoints of entries."""

    def delete(self, id: str) -> AdminEntry:
        """Take an entry down. Removes the entry from all lists, counts, clusters and signals, for good: no source and no import adds it again. `DELETE /admin/entries/:id`"""
        return self._transport.send("DELETE", f"/admin/entries/{_segment(id)}")["data"]


class AdminSourcesResource(_Resource):
    """The endpoints of sources."""

    def list(self) -> Rows[AdminSource]:
        """List sources with their state. `GET /admin/sources`"""
        return Rows(self._transport.send("GET", "/admin/sources")["data"])

    def create(
        self,
        *,
        url: Union[str, Unset] = UNSET,
        preset: Union[str, Unset] = UNSET,
        kind: Union[str, Unset] = UNSET,
        idempotency_key: Optional[str] = None,
        **options: Any,
    ) -> CreatedAdminSource:
        """Add a source. With url alone, the address is looked at: a feed, or a page that links to one. With preset alone, its sources are added. Otherwise kind and the options of the SOURCES file. A source of the SOURCES setting with the same address wins. `POST /admin/sources`

        url: Address of a feed, or of a page that links to one.
        preset: Preset, such as crypto, all of whose sources are added.
        kind: Kind of source, such as feed or kraken; needed with other options.
        """
        return self._transport.send("POST", "/admin/sources", body={"url": url, "preset": preset, "kind": kind, **options}, idempotency_key=idempotency_key)["data"]

    def get(self, id: str) -> AdminSource:
        """Get a source. `GET /admin/sources/:id`"""
        return self._transport.send("GET", f"/admin/sources/{_segment(id)}")["data"]

    def run(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> AdminSource:
        """Read a source now. `POST /admin/sources/:id/run`"""
        return self._transport.send("POST", f"/admin/sources/{_segment(id)}/run", idempotency_key=idempotency_key)["data"]

    def pause(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> AdminSource:
        """Stop reading a source until it is resumed. `POST /admin/sources/:id/pause`"""
        return self._transport.send("POST", f"/admin/sources/{_segment(id)}/pause", idempotency_key=idempotency_key)["data"]

    def resume(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> AdminSource:
        """Read a source again that was paused or stopped. `POST /admin/sources/:id/resume`"""
        return self._transport.send("POST", f"/admin/sources/{_segment(id)}/resume", idempotency_key=idempotency_key)["data"]

    def delete(self, id: str) -> DeletedAdminSource:
        """Remove a source that was added by command; what it brought stays. `DELETE /admin/sources/:id`"""
        return self._transport.send("DELETE", f"/admin/sources/{_segment(id)}")["data"]


class AdminSourceKindsResource(_Resource):
    """The endpoints of source kinds."""

    def get(self) -> AdminSourceKinds:
        """Get the kinds of sources with their options, and the presets. `GET /admin/source-kinds`"""
        return self._transport.send("GET", "/admin/source-kinds")["data"]


class AdminTokensResource(_Resource):
    """The endpoints of tokens."""

    def create(
        self,
        *,
        name: str,
        scope: Literal["read", "support", "owner"],
        idempotency_key: Optional[str] = None,
    ) -> CreatedAdminToken:
        """Create an admin token with a scope. Only this response contains the token. `POST /admin/tokens`

        name: Who or what uses the token, such as ada or ci-import: lower-case letters, digits and . _ @ -; no other token has or had it.
        scope: read: every GET; support: also accounts, their credits and keys; owner: everything, such as tokens, deletion, imports and sources.
        """
        return self._transport.send("POST", "/admin/tokens", body={"name": name, "scope": scope}, idempotency_key=idempotency_key, secret="token")["data"]

    def list(self) -> Rows[AdminToken]:
        """List admin tokens, newest first. Also those that are revoked, but not the one in DATA_DIR or ADMIN_TOKEN, whose name is admin-token. `GET /admin/tokens`"""
        return Rows(self._transport.send("GET", "/admin/tokens")["data"])

    def delete(self, name: str) -> AdminToken:
        """Revoke an admin token immediately. `DELETE /admin/tokens/:name`"""
        return self._transport.send("DELETE", f"/admin/tokens/{_segment(name)}")["data"]


class AdminSignInLinksResource(_Resource):
    """The endpoints of sign in links."""

    def create(
        self,
        *,
        email: Union[str, Unset] = UNSET,
        idempotency_key: Optional[str] = None,
    ) -> AdminSignInLink:
        """Create a link that signs the owner, or a user, in to the dashboard. The link works once and for an hour. A user with a second factor needs a code, too. `POST /admin/sign-in-links`

        email: Email address of the user; by default the link is for the owner.
        """
        return self._transport.send("POST", "/admin/sign-in-links", body={"email": email}, idempotency_key=idempotency_key, secret="url")["data"]


class AdminAuditTrailResource(_Resource):
    """The endpoints of audit trail."""

    def list(
        self,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        token: Optional[str] = None,
        target: Optional[str] = None,
        created_after: Optional[Time] = None,
        created_before: Optional[Time] = None,
    ) -> Items[AdminAuditTrail]:
        """List what operators did, newest first. Requests with a valid admin token, also refused ones. Successful GET requests are left out, except exports of accounts. Nothing can change or remove a record. `GET /admin/audit-trail`

        limit: Page size. Values above the maximum are lowered to it; with the demo key, values above 3 are refused with 400. Default: 50.
        offset: Number of items to skip. Default: 0.
        token: Name of the token.
        target: Id of an account, source or entry, or name of a token.
        created_after: Only requests at or after this time.
        created_before: Only requests at or before this time.
        """
        return Items(self._transport, "/admin/audit-trail", {"limit": limit, "offset": offset, "token": token, "target": target, "createdAfter": created_after, "createdBefore": created_before})


class AdminHealthResource(_Resource):
    """The endpoints of health."""

    def get(self) -> AdminHealth:
        """Get the readiness of this instance, its version, and the work that waits. `GET /admin/health`"""
        return self._transport.send("GET", "/admin/health")["data"]


class AdminTrafficResource(_Resource):
    """The endpoints of traffic."""

    def get(self) -> AdminTraffic:
        """Get the traffic of this instance, by minute and by route. Each instance keeps its own figures in memory, for a day at most and not beyond a restart. Behind a load balancer, the instance that answers shows its own; Prometheus collects those of all from /metrics. `GET /admin/traffic`"""
        return self._transport.send("GET", "/admin/traffic")["data"]


class AdminStatsResource(_Resource):
    """The endpoints of stats."""

    def get(self) -> Stats:
        """Get record counts of this server and hit rates of signals by kind. The same as /api/v1/stats, for operators without an account. `GET /admin/stats`"""
        return self._transport.send("GET", "/admin/stats")["data"]


class AdminPaymentEventsResource(_Resource):
    """The endpoints of payment events."""

    def list(
        self,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        is_processed: Optional[bool] = None,
    ) -> Items[AdminPaymentEvent]:
        """List events of the payment processor, newest first. Processed events are kept for LOG_RETENTION_DAYS. `GET /admin/payment-events`

        limit: Page size. Values above the maximum are lowered to it; with the demo key, values above 3 are refused with 400. Default: 50.
        offset: Number of items to skip. Default: 0.
        is_processed: true: only processed events; false: only those that wait.
        """
        return Items(self._transport, "/admin/payment-events", {"limit": limit, "offset": offset, "isProcessed": is_processed})

    def retry(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> AdminPaymentEvent:
        """Process a waiting event now. If it fails again, the answer has the error, and the event is processed again later. `POST /admin/payment-events/:id/retry`"""
        return self._transport.send("POST", f"/admin/payment-events/{_segment(id)}/retry", idempotency_key=idempotency_key)["data"]


class AdminReindexResource(_Resource):
    """The endpoints of reindex."""

    def create(
        self,
        *,
        idempotency_key: Optional[str] = None,
    ) -> AdminReindex:
        """Start or continue reindexing: derive the fields of all entries again, in the background. `POST /admin/reindex`"""
        return self._transport.send("POST", "/admin/reindex", idempotency_key=idempotency_key)["data"]

    def pause(
        self,
        *,
        idempotency_key: Optional[str] = None,
    ) -> AdminReindex:
        """Pause reindexing; the next start continues it. `POST /admin/reindex/pause`"""
        return self._transport.send("POST", "/admin/reindex/pause", idempotency_key=idempotency_key)["data"]

    def get(self) -> AdminReindex:
        """Get the progress of reindexing. `GET /admin/reindex`"""
        return self._transport.send("GET", "/admin/reindex")["data"]


class AdminSampleResource(_Resource):
    """The endpoints of sample."""

    def clear(
        self,
        *,
        idempotency_key: Optional[str] = None,
    ) -> AdminSampleClear:
        """Remove the sample data. Removes entries, publishers, markets, prediction markets, SEC records and signals of the sample; own data, assets, topics, accounts and logs stay. Works for some seconds: repeat the request until isDone is true. `POST /admin/sample/clear`"""
        return self._transport.send("POST", "/admin/sample/clear", idempotency_key=idempotency_key)["data"]


class AdminAuditResource(_Resource):
    """The endpoints of audit."""

    def get(self) -> AdminAudit:
        """Check that balances, lots, transfers and charge records agree. `GET /admin/audit`"""
        return self._transport.send("GET", "/admin/audit")["data"]


class Admin(_Client):
    """The client of the operator API. Reads MINTICK_URL and MINTICK_ADMIN_TOKEN."""

    def __init__(
        self,
        url: Optional[str] = None,
        token: Optional[str] = None,
        *,
        timeout: float = 30,
        max_retries: int = 2,
    ) -> None:
        token = token or os.environ.get("MINTICK_ADMIN_TOKEN")
        if not token:
            raise ValueError("Pass token, or set MINTICK_ADMIN_TOKEN")
        super().__init__(url, token, timeout, max_retries)
        self.accounts = AdminAccountsResource(self._transport)
        self.import_ = AdminImportResource(self._transport)
        self.entries = AdminEntriesResource(self._transport)
        self.sources = AdminSourcesResource(self._transport)
        self.source_kinds = AdminSourceKindsResource(self._transport)
        self.tokens = AdminTokensResource(self._transport)
        self.sign_in_links = AdminSignInLinksResource(self._transport)
        self.audit_trail = AdminAuditTrailResource(self._transport)
        self.health = AdminHealthResource(self._transport)
        self.traffic = AdminTrafficResource(self._transport)
        self.stats = AdminStatsResource(self._transport)
        self.payment_events = AdminPaymentEventsResource(self._transport)
        self.reindex = AdminReindexResource(self._transport)
        self.sample = AdminSampleResource(self._transport)
        self.audit = AdminAuditResource(self._transport)
