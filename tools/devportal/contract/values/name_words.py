"""The words of a name, in English whatever language they are in, and the noun that a schema is about."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from devportal.contract.schemas import Schema
from devportal.contract.titles.nouns import make_singular
from devportal.contract.wording import split_camel_case
from devportal.documents import Pointer

_TRANSLATIONS: Mapping[str, str] = {
    # German, French, Spanish, Portuguese and Italian, without accents
    **dict.fromkeys(("vorname", "prenom", "nombres", "primeiro"), "first name"),
    **dict.fromkeys(("nachname", "familienname", "apellido", "apellidos", "sobrenome", "cognome"), "surname"),
    **dict.fromkeys(("nom", "nombre", "nome"), "name"),
    **dict.fromkeys(("strasse", "rue", "calle", "rua"), "street"),
    **dict.fromkeys(("anschrift", "adresse", "direccion", "endereco", "indirizzo"), "address"),
    **dict.fromkeys(("stadt", "ville", "ciudad", "cidade", "citta"), "city"),
    **dict.fromkeys(("plz", "postleitzahl", "codigopostal", "cep"), "postcode"),
    **dict.fromkeys(("land", "pays", "pais", "paese"), "country"),
    **dict.fromkeys(("telefon", "telefonnummer", "telephone", "telefono", "telefone", "handy"), "phone"),
    **dict.fromkeys(("correo", "courriel"), "email"),
    **dict.fromkeys(("datum", "fecha"), "date"),
    **dict.fromkeys(("betrag", "montant", "importe", "monto", "valor", "importo"), "amount"),
    **dict.fromkeys(("preis", "prix", "precio", "preco", "prezzo"), "price"),
    **dict.fromkeys(("wahrung", "waehrung", "devise", "moneda", "moeda", "valuta"), "currency"),
    **dict.fromkeys(("menge", "anzahl", "quantite", "cantidad", "quantidade", "quantita"), "quantity"),
    **dict.fromkeys(("beschreibung", "descripcion", "descricao", "descrizione"), "description"),
    **dict.fromkeys(("bezeichnung", "titel", "titre", "titulo", "titolo"), "title"),
    **dict.fromkeys(("bemerkung", "kommentar", "commentaire", "comentario"), "comment"),
    **dict.fromkeys(("sprache", "langue", "idioma", "lingua"), "language"),
    **dict.fromkeys(("kunde", "cliente"), "customer"),
    **dict.fromkeys(("firma", "unternehmen", "entreprise", "empresa", "azienda"), "company"),
    # Japanese, Chinese and Korean; the longest end of a name counts
    **dict.fromkeys(("メールアドレス", "メール", "邮箱", "電子郵件", "이메일"), "email"),
    **dict.fromkeys(("電話番号", "電話", "电话", "手机号", "전화번호"), "phone"),
    **dict.fromkeys(("郵便番号", "邮编", "邮政编码", "우편번호"), "postcode"),
    **dict.fromkeys(("氏名", "姓名"), "full name"),
    **dict.fromkeys(("住所", "地址", "주소"), "address"),
    **dict.fromkeys(("名前", "名称", "名字", "이름", "名"), "name"),
    **dict.fromkeys(("会社", "企業", "公司", "회사"), "company"),
    **dict.fromkeys(("顧客", "客户", "고객"), "customer"),
    **dict.fromkeys(("商品", "製品", "产品", "상품"), "product"),
    **dict.fromkeys(("日時", "時刻", "时间"), "datetime"),
    **dict.fromkeys(("日付", "日期", "날짜", "日"), "date"),
    **dict.fromkeys(("金額", "金额", "금액"), "amount"),
    **dict.fromkeys(("価格", "单价", "単価", "가격"), "price"),
    **dict.fromkeys(("通貨", "货币", "통화"), "currency"),
    **dict.fromkeys(("数量", "수량"), "quantity"),
    **dict.fromkeys(("件数", "個数"), "count"),
    **dict.fromkeys(("説明", "描述", "설명"), "description"),
    **dict.fromkeys(("備考", "メモ", "备注", "비고"), "note"),
    **dict.fromkeys(("件名", "題名", "タイトル", "标题", "제목"), "title"),
    **dict.fromkeys(("都市", "城市", "市区町村", "도시"), "city"),
    **dict.fromkeys(("国コード", "国", "国家", "국가"), "country"),
    **dict.fromkeys(("言語", "语言", "언어"), "language"),
    **dict.fromkeys(("番号", "编号", "번호"), "number"),
    **dict.fromkeys(("コード", "代码", "코드"), "code"),
}
"""English words for words of other languages."""
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


@lru_cache(maxsize=4096)
def words_of_name(name: str) -> tuple[str, ...]:
    """Return the words of a name in lower case, without digits: `billingEmail` and `billing_email` are the same."""
    words: list[str] = []
    for written in re.findall(r"[^\W\d_]+", split_camel_case(name, " ")):
        plain = _without_accents(written).lower()
        translated = _cjk_words(written) if _CJK.search(written) else [_TRANSLATIONS.get(plain, plain)]
        words += (word for each in translated for word in each.split())
    return tuple(words)


def _without_accents(word: str) -> str:
    decomposed = unicodedata.normalize("NFKD", word.replace("ß", "ss"))
    return "".join(text for text in decomposed if not unicodedata.combining(text))


def _cjk_words(text: str) -> list[str]:
    """Return the words that a text without spaces is made of, the known ones from its end on."""
    words: list[str] = []
    while text:
        ends = (
            translation
            for translation in _TRANSLATIONS
            if text.endswith(translation) and _CJK.search(translation)
        )
        end = max(ends, key=len, default="")
        if not end:
            return [*([] if words else [text]), *reversed(words)]
        words.append(_TRANSLATIONS[end])
        text = text.removesuffix(end)
    return [*reversed(words)]


class Owner(NamedTuple):
    """What a property belongs to: its noun, as words, and the last words of the names of all its properties.

    It is part of the key of each member of an example, and a dataclass is hashed in Python.
    """

    noun: tuple[str, ...] = ()
    members: frozenset[str] = frozenset()


NO_OWNER = Owner()


def owner_of(holder: Schema) -> Owner:
    """Return what the properties of a schema belong to."""
    return _owner_at(holder.location.pointer, tuple(property_.name for property_ in holder.properties))


@lru_cache(maxsize=1024)
def _owner_at(pointer: Pointer, names: tuple[str, ...]) -> Owner:
    words = (words_of_name(name) for name in names)
    return Owner(noun=noun_of(pointer), members=frozenset(word[-1] for word in words if word))


_STEPS_WITH_NUMBER = frozenset({"allOf", "oneOf", "anyOf", "prefixItems"})
_STEPS = frozenset({"items", "schema", "additionalProperties", "then", "else", "if", "not"})
_TECHNICAL = frozenset(
    {
        *("response", "request", "object", "dto", "model", "schema", "input", "output", "out", "payload"),
        *(
            "body",
            "param",
            "params",
            "parameters",
            "data",
            "base",
            "full",
            "simple",
            "summary",
            "detail",
            "details",
        ),
        *("list", "create", "update", "patch", "post", "put", "get", "new", "result", "results", "value"),
        *("attributes", "properties", "node", "edge", "item", "items", "resource", "entity", "info", "api"),
        *("ref", "reference", "type", "v", "inner", "nested", "spec", "nullable", "minimal", "public"),
    }
)
_MOST_WORDS = 3


@lru_cache(maxsize=4096)
def noun_of(pointer: Pointer) -> tuple[str, ...]:
    """Return the words for what a schema describes, by where it is: one `payment method` of `payment_methods`."""
    return next((words for name in _names_above(pointer) if (words := _noun_words(name))), ())


def _names_above(pointer: Pointer) -> Iterator[str]:
    """Yield the names of the properties and components around a schema, the nearest first, then that of its path."""
    left = list(pointer)
    while left:
        last = left.pop()
        if last in _STEPS or (left and left[-1] in _STEPS_WITH_NUMBER):
            continue
        if left and left[-1] == "properties":
            yield last
            left.pop()
        elif left[:2] == ["components", "schemas"] and len(left) == 2:
            yield last
            return
    if pointer[:1] == ("paths",) and len(pointer) > 1:
        segments = [part for part in pointer[1].split("/") if part and "{" not in part]
        yield from reversed(segments[-1:])


def _noun_words(name: str) -> tuple[str, ...]:
    words = [*words_of_name(name)]
    while words and (words[-1] in _TECHNICAL or words[-1] in ("for", "of", "with", "by", "in", "to")):
        words.pop()
    while words and words[0] in _TECHNICAL:
        words.pop(0)
    if not words or len(words) > _MOST_WORDS or not all(word.isascii() and len(word) > 1 for word in words):
        return ()
    return (*words[:-1], make_singular(words[-1]))
