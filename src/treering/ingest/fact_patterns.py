"""The patterns of facts that people state of themselves, in English, Spanish and Chinese.

Each is as narrow as it must be to be right: a place and an employer begin with a capital letter, a product is one of a
list, a diagnosis outside a clinical record is one that "I" was given. A slot takes what replaces one another alone: a
second product or diagnosis is no correction of the first, so each has a slot of its own.
"""

from __future__ import annotations

import re
from typing import Final, Literal, cast, get_args

from treering.domain.memory import MemoryKind
from treering.domain.named import NamedTuple
from treering.errors import InputError

Scope = Literal["said", "record"]


PATIENT: Final = "patient"
"""In the slot of a pattern: whom the record is about; ``user`` where it does not say."""


class Pattern(NamedTuple):
    """What a fact looks like.

    Attributes:
        slot: the topic that it answers; ``{name}`` in it stands for the group of that name, made a key.
        pattern: a regular expression with the group ``value``; it is searched in one sentence at a time, with case.
        kind: kind of the memories that come of it.
        scope: ``said``: in what somebody says, where questions, conditions, quotations and negations do not count;
            ``record``: in a line of a clinical record.
        hints: words one of which stands in every sentence that it matches, to save time; empty for unknown.
    """

    slot: str
    pattern: str
    kind: MemoryKind = "semantic"
    scope: Scope = "said"
    hints: tuple[str, ...] = ()


def scope_of(name: str) -> Scope:
    """Return the scope of a name.

    Raises:
        InputError: if there is none.
    """
    for known in get_args(Scope):
        if name == known:
            return cast("Scope", known)
    raise InputError(f"there is no scope {name!r}; there are {' and '.join(get_args(Scope))}")


def check_pattern(pattern: Pattern) -> re.Pattern[str]:
    """Return a pattern's compiled expression.

    Raises:
        InputError: if it is no regular expression, has no group ``value``, or its slot is empty or names a group that
            there is not.
    """
    try:
        compiled = re.compile(pattern.pattern)
    except re.error as error:
        raise InputError(f"the pattern {pattern.pattern!r} is no regular expression: {error}") from error
    if "value" not in compiled.groupindex:
        raise InputError(f"the pattern {pattern.pattern!r} has no group named value", hint="write (?P<value>…)")
    names = set(re.findall(r"\{(\w*)\}", pattern.slot)) - {PATIENT}
    if not pattern.slot.strip() or not names <= compiled.groupindex.keys():
        raise InputError(f"the slot {pattern.slot!r} is empty or names a group that the pattern does not have")
    return compiled


PRODUCTS: Final = (
    "PostgreSQL|Postgres|MySQL|MariaDB|SQLite|MongoDB|Redis|Valkey|Cassandra|DynamoDB|Elasticsearch|OpenSearch"
    "|ClickHouse|"
    "DuckDB|Snowflake|BigQuery|Kafka|RabbitMQ|NATS|Docker|Podman|Kubernetes|Terraform|OpenTofu|Ansible|Helm|Nginx"
    "|NGINX|"
    "Caddy|Traefik|Envoy|Python|TypeScript|JavaScript|Java|Kotlin|Scala|Rust|Go|Golang|Ruby|PHP|Elixir|Erlang|Haskell|"
    "Swift|C\\+\\+|C#|\\.NET|Node\\.js|Deno|Bun|Django|Flask|FastAPI|Rails|Laravel|Spring Boot|Express|NestJS"
    "|Next\\.js|"
    "Nuxt|React|Vue|Svelte|SvelteKit|Angular|Tailwind(?: CSS)?|Vite|Webpack|PyTorch|TensorFlow|NumPy|pandas|Polars"
    "|Spark|"
    "Airflow|dbt|Jenkins|GitHub Actions|GitLab CI|CircleCI|GitHub|GitLab|Bitbucket|Jira|Linear|Notion|Slack|Figma|"
    "VS Code|Neovim|Vim|Emacs|PyCharm|IntelliJ|Ubuntu|Debian|Fedora|Arch Linux|NixOS|macOS|Windows|AWS|Azure|GCP"
    "|Heroku|"
    "Vercel|Netlify|Cloudflare|Supabase|Firebase|Prometheus|Grafana|Datadog|Sentry|GraphQL|gRPC|pnpm|npm|Yarn|Poetry"
    "|uv|"
    "ruff|pytest|Jest|Vitest|Playwright|Cypress"
)
_PRODUCT: Final = rf"(?P<value>(?P<product>{PRODUCTS})(?![\w-])(?: v?\d+(?:\.\d+){{0,2}}(?![\w.]*\w))?)"
# What follows ends the clause or says where; "we use Docker to build" is how a guide speaks.
_PRODUCT_END: Final = (
    r"(?=\s*(?:[.,;!。，；！)]|$| (?:as|for|para|como) (?:our|the|my|all|nuestr[oa]s?|mi|la|el|base)\b| (?:in|en) "
    r"(?:production|"
    r"staging|prod|producción)| (?:at work|now|y|and|since|on|desde|instead)\b))"
)
_NAME: Final = (
    r"(?P<value>[A-ZÁÉÍÓÚÑÜ][\w'’&-]*(?:(?: (?:of|de|del|la|las|los|el|the|y|and|&)){0,2} [A-ZÁÉÍÓÚÑÜ][\w'’&-]*){0,5})"
)
_PERSON: Final = (
    r"(?P<value>[A-ZÁÉÍÓÚÑÜ][\w'’-]+(?: (?:de|del|la|van|von) | )?(?:[A-ZÁÉÍÓÚÑÜ][\w'’-]+)?(?: [A-ZÁÉÍÓÚÑÜ][\w'’-]+)?)"
)
_ADVERB: Final = r"(?: (?:now|currently|still|actually|just|recently|finally|already))*"
_ILLNESS: Final = (
    r"(?P<value>[\w'’-]+(?: (?!(?:by|in|on|last|when|and|at|after|back|this|but|which|who|so|because|two|three|a|about|"
    r"earlier|recently|years?|months?|weeks?|por|en|el|la|hace|y|cuando|pero|que|de nuevo)\b)[\w'’-]+){0,5})"
)
_DOSE: Final = r"\d+(?:[.,]\d+)? ?(?:mg|mcg|µg|g|ml|mL|units|unidades|UI|IU|毫克|微克|毫升|片|粒)(?!\w)"
_HAN: Final = "(?:(?![的了和跟与时吗呢吧啊])[\u4e00-\u9fffA-Za-z0-9·])"
_END_ZH: Final = "(?=[，,。；;！!、\\s]|$)"
_I_ZH: Final = "(?:^|(?<=[，,。；;：:！!\\s]))我"
_ADVERB_ZH: Final = (
    "(?:现在|目前|如今|一直|已经|刚刚?|"
    "最近|也|还|仍然|就|上个?月|上周|去年|今年|昨天|今天|正在?|\\d{4}年(?:\\d{1,2}月(?:\\d{1,2}[日号])?)?)*"
)
_SURNAME: Final = (
    "[王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈"
    "姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤]"
)
_FIRM: Final = (
    "(?:公司|集团|银行|大学|医院|研究院|研究所|科技|事务所|学校|中学|小学|工厂|出版社|报社|电视台|实验室|酒店|超市)"
)

PATTERNS: Final = (
    # Where one lives.
    Pattern(
        "user/location",
        rf"\b(?:I{_ADVERB} (?:live|reside)|I(?:['’]m| am){_ADVERB} (?:living|residing|based)"
        rf"|I(?:['’]ve| have){_ADVERB} been (?:living|based)){_ADVERB} in (?:the )?{_NAME}",
        hints=("live", "living", "resid", "based"),
    ),
    Pattern(
        "user/location",
        rf"\bI(?:['’]ve| have)?{_ADVERB} (?:moved|relocated)(?: back| over| here| out| up| down| from "
        rf"{_NAME.replace('value', 'origin')})?"
        rf" to (?:the )?{_NAME}",
        hints=("moved", "relocated"),
    ),
    Pattern(
        "user/location",
        rf"(?<!en )(?:(?<!\w)[Vv]ivo|(?<!\w)[Rr]esido|\b[Ee]stoy viviendo)(?: (?:ahora|actualmente|todavía))? en "
        rf"{_NAME}",
        hints=("ivo en", "ivo a", "ivo t", "esido", "viviendo"),
    ),
    Pattern(
        "user/location",
        rf"\b[Mm]e (?:mudé|trasladé|he (?:mudado|trasladado))(?: (?:ayer|hace poco|de nuevo|recientemente))? a {_NAME}",
        hints=("mud", "traslad"),
    ),
    Pattern(
        "user/location",
        f"{_I_ZH}{_ADVERB_ZH}(?:居住在|住在|定居在|定居于|搬到了?|搬家到了?|搬去了?|移居到?了?)"
        f"(?P<value>{_HAN}{{2,10}}?)(?:{_END_ZH}|(?=了|生活|已经|这个小区))",
        hints=("住在", "定居", "搬", "移居"),
    ),
    # Whom one works for, and as what.
    Pattern(
        "user/employer",
        rf"\b(?:I{_ADVERB} work|I(?:['’]m| am){_ADVERB} (?:working|employed)|I(?:['’]ve| have){_ADVERB} been working)"
        rf" (?:at|for|by) {_NAME}",
        hints=("work", "employed"),
    ),
    Pattern(
        "user/employer",
        rf"\bI(?:['’]ve| have)?{_ADVERB} started (?:(?:working|a (?:new )?job|my new job) )?at {_NAME}",
        hints=("started",),
    ),
    Pattern("user/employer", rf"\bI(?:['’]ve| have)?{_ADVERB} joined {_NAME} as an?\b", hints=("joined",)),
    Pattern(
        "user/employer",
        r"(?:^|[,;:] |\b(?:[Yy]o|[Aa]hora|[Aa]ctualmente|[Hh]oy|y|que) )(?:[Tt]rabajo|[Ee]stoy trabajando)"
        rf"(?: (?:ahora|actualmente))? (?:en|para) {_NAME}",
        hints=("rabajo", "trabajando"),
    ),
    Pattern(
        "user/employer",
        f"{_I_ZH}{_ADVERB_ZH}在(?!一[家个所]|这|那|某|当前|目前|原来|自己|我|本|同)"
        f"(?P<value>{_HAN}{{1,16}}?{_FIRM})(?:工作|上班|任职|就职)",
        hints=("工作", "上班", "任职", "就职"),
    ),
    Pattern(
        "user/employer",
        f"{_I_ZH}{_ADVERB_ZH}(?:就职于|任职于|入职了?)(?P<value>{_HAN}{{2,16}}?){_END_ZH}",
        hints=("就职", "任职", "入职"),
    ),
    Pattern(
        "user/occupation",
        rf"\bI{_ADVERB} work as an? (?P<value>[a-z][a-z-]+(?: (?!at\b|for\b|in\b|and\b|with\b|on\b|to\b|but\b|who\b"
        rf"|so\b|from\b)"
        r"[a-z-]+){0,3})",
        hints=("work as",),
    ),
    Pattern(
        "user/occupation",
        r"(?:^|[,;:] |\b(?:[Yy]o|[Aa]hora|[Aa]ctualmente|y|que) )[Tt]rabajo (?:como|de) (?:una? )?"
        r"(?P<value>[a-zñáéíóúü]{4,}(?: (?:de )?(?!en\b|para\b|con\b|y\b|desde\b|a\b|por\b|pero\b"
        r"|que\b)[a-zñáéíóúü]{3,}){0,2})",
        hints=("rabajo",),
    ),
    Pattern(
        "user/occupation",
        f"{_I_ZH}的职业是(?:一[名位个])?(?P<value>{_HAN}{{2,10}}?){_END_ZH}",
        hints=("职业",),
    ),
    # What one is called.
    Pattern("user/name", rf"\b[Mm]y name is {_PERSON}", hints=("name is",)),
    Pattern("user/name", rf"\b(?:[Mm]e llamo|[Mm]i nombre es) {_PERSON}", hints=("me llamo", "Me llamo", "nombre es")),
    Pattern(
        "user/name",
        f"(?:{_I_ZH}叫|我的名字[叫是])(?P<value>{_SURNAME}[\u4e00-\u9fff]{{1,2}}|[A-Z][a-z]+){_END_ZH}",
        hints=("我叫", "我的名字"),
    ),
    # What one builds with.
    Pattern(
        "user/stack",
        r"\b(?:[Mm]y|[Oo]ur) (?:current |tech |technology |usual )*stack is (?P<value>[\w+#.][^.;!?\n(]*(?:\."
        r"(?=\w)[^.;!?\n(]*)*)",
        hints=("stack is",),
    ),
    Pattern(
        "user/stack",
        r"\b(?:[Mm]i|[Nn]uestr[oa]) (?:stack|pila)(?: (?:actual|tecnológic[oa]))* es (?P<value>[\w+#.][^.;!?\n(]*"
        r"(?:\.(?=\w)[^.;!?\n(]*)*)",
        hints=("stack", "pila"),
    ),
    Pattern(
        "user/stack",
        "我们?的(?:技术栈|技术架构)(?:现在|目前)?是(?P<value>[^，。；！？\\n]{2,60})",
        hints=("技术栈", "技术架构"),
    ),
    Pattern(
        "user/stack/{product}",
        r"\b(?:(?:[Ww]e|I)(?:['’]ve| have)?(?: (?:now|currently|still|mostly|already|just|recently))*"
        r" (?:use|run on|switched to|migrated to|upgraded to)|[Ww]e(?:['’]re| are)(?: now| currently)? using"
        rf"|I(?:['’]m| am)(?: now| currently)? using) {_PRODUCT}{_PRODUCT_END}",
        hints=("use ", "using", "run on", " to "),
    ),
    Pattern(
        "user/stack/{product}",
        r"(?:^|[,;:] |\b(?:[Yy]o|[Aa]hora|[Aa]ctualmente|[Hh]oy|y|que|nosotros) )(?:[Uu]samos|[Uu]tilizamos"
        r"|[Uu]tilizo|[Uu]so|"
        rf"[Mm]igramos a|[Pp]asamos a|[Hh]emos (?:migrado|pasado) a)(?: (?:ahora|actualmente))? "
        rf"{_PRODUCT}{_PRODUCT_END}",
        hints=("samos", "tilizamos", "tilizo", "so ", "igramos", "asado a", "igrado a"),
    ),
    Pattern(
        "user/stack/{product}",
        "(?:^|(?<=[，,。；;：:！!\\s]))我们?(?:现在|目前|已经|一直|主要)*(?:使用的?是?|用的是|在用|用|改用了?"
        "|迁移到了?|升级到了?|切换到了?)"
        f" ?{_PRODUCT}(?=\\s*(?:[，,。；;！!]|$|作为|做|来存|数据库))",
        hints=("用", "迁移到", "升级到", "切换到"),
    ),
    # What one was found to have, and what is done about it.
    Pattern(
        "user/diagnosis/{value}",
        rf"\bI(?: was| have been|['’]ve been| got| had been){_ADVERB} diagnosed with (?:an? )?{_ILLNESS}",
        hints=("diagnosed",),
    ),
    Pattern(
        "user/diagnosis/{value}",
        rf"\b[Mm]e (?:diagnosticaron|han diagnosticado)(?: con)?(?: una?)? {_ILLNESS}",
        hints=("diagnostic",),
    ),
    Pattern(
        "user/diagnosis/{value}",
        f"{_I_ZH}{_ADVERB_ZH}被?(?:确诊|诊断)(?:出(?:患有|患了)?|为|患有|患了|得了)(?P<value>{_HAN}{{2,14}}?){_END_ZH}",
        hints=("确诊", "诊断"),
    ),
    Pattern(
        "user/treatment/{drug}",
        rf"\bI(?:{_ADVERB} take|(?:['’]m| am){_ADVERB} (?:taking|on|being treated with)|{_ADVERB} started (?:taking )?)"
        rf" ?(?P<value>(?P<drug>[A-Za-z][a-z-]{{3,}}(?: [a-z-]{{3,}})?),? (?:at )?{_DOSE})",
        hints=(" take ", "taking", " on ", "treated", "started"),
    ),
    Pattern(
        "user/treatment/{drug}",
        rf"(?:^|[,;:] |\b(?:[Yy]o|[Aa]hora|[Aa]ctualmente|y|que) )(?:[Tt]omo|[Ee]stoy tomando|[Mm]e trato con"
        rf"|[Ee]mpecé (?:a tomar|con))"
        rf" (?P<value>(?P<drug>[A-Za-zñáéíóú]{{4,}})(?: de)? {_DOSE})",
        hints=("omo ", "tomando", "trato", "mpecé"),
    ),
    Pattern(
        "user/treatment/{drug}",
        f"{_I_ZH}{_ADVERB_ZH}在?(?:服用|注射|吃|用)(?P<value>(?P<drug>[\u4e00-\u9fff]{{2,10}}?)(?:每[天日次]|一天)? "
        f"?{_DOSE})",
        hints=("服用", "注射", "吃", "用"),
    ),
    # A record names what it holds.
    *(
        Pattern(
            f"{{patient}}/{topic}",
            rf"^\s*(?:[-*+] +)?(?:\*\*|__)?(?:{label})(?:\*\*|__)? ?[:：](?:\*\*|__)? *"
            rf"(?P<value>\S[^\n]{{1,200}}?)[ .。]*$",
            scope="record",
        )
        for topic, label in (
            ("diagnosis", "Diagnosis|DIAGNOSIS|Diagnóstico|Diagnostico|DIAGNÓSTICO|诊断|临床诊断|诊断结果"),
            ("treatment", "Treatment|TREATMENT|Tratamiento|TRATAMIENTO|治疗|治疗方案"),
            ("medication", "Medications?|MEDICATIONS?|Medicación|Medicacion|MEDICACIÓN|用药|药物|处方"),
        )
    ),
)
