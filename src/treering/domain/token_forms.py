"""The forms of keys and tokens that their issuers make recognisable: for ``secrets``.

Each begins with letters that little else begins with, so that a text is searched for them by ``str.find``.
"""

# No postponed annotations: a NamedTuple compiles each one that is a string.
from typing import Final, NamedTuple


class TokenForm(NamedTuple):
    """The form of one kind of token.

    Attributes:
        kind: what it is called when it is masked.
        start: its first letters.
        rest: a pattern of what follows them.
    """

    kind: str
    start: str
    rest: str


_B: Final = "[A-Za-z0-9_-]"
_A: Final = "[A-Za-z0-9]"
_HEX: Final = "[0-9a-f]"

TOKEN_FORMS: Final = (
    *(TokenForm("aws key", start, "[A-Z0-9]{16}") for start in ("AKIA", "ASIA", "ABIA", "ACCA")),
    *(TokenForm("github token", f"gh{letter}_", f"{_A}{{36,255}}") for letter in "pousr"),
    TokenForm("github token", "github_pat_", "[A-Za-z0-9_]{22,255}"),
    *(TokenForm("gitlab token", start, f"{_B}{{20,64}}") for start in ("glpat-", "gldt-", "glrt-", "glptt-", "gloas-")),
    *(TokenForm("slack token", f"xox{letter}-", "[A-Za-z0-9-]{10,250}") for letter in "abpres"),
    TokenForm("slack token", "xapp-", r"\d-[A-Z0-9]+-\d+-[a-z0-9]+"),
    TokenForm("slack webhook", "hooks.slack.com/", r"(?:services|workflows)/[A-Za-z0-9+/]{20,100}"),
    TokenForm("discord webhook", "discord.com/api/webhooks/", rf"\d{{17,20}}/{_B}{{40,100}}"),
    TokenForm("discord webhook", "discordapp.com/api/webhooks/", rf"\d{{17,20}}/{_B}{{40,100}}"),
    TokenForm("teams webhook", "webhook.office.com/", r"webhookb2/[\w@-]+/IncomingWebhook/\w+/[\w-]+"),
    *(
        TokenForm("stripe key", f"{start}_{mode}_", f"{_A}{{16,250}}")
        for start in ("sk", "rk")
        for mode in ("live", "test")
    ),
    TokenForm("stripe key", "whsec_", "[A-Za-z0-9+/]{24,}={0,2}"),
    TokenForm("anthropic key", "sk-ant-", f"{_B}{{20,250}}"),
    TokenForm("openai key", "sk-", rf"(?=[\w-]*\d){_B}{{20,250}}"),
    TokenForm("google key", "AIza", f"{_B}{{35}}"),
    TokenForm("google secret", "GOCSPX-", f"{_B}{{28}}"),
    TokenForm("google token", "ya29.", f"{_B}{{30,}}"),
    TokenForm("sendgrid key", "SG.", rf"{_B}{{16,32}}\.{_B}{{32,64}}"),
    TokenForm("mailgun key", "key-", f"(?=[0-9]*[A-Za-z])(?=[A-Za-z]*[0-9])[0-9A-Za-z]{{32}}(?!{_A})"),
    TokenForm("twilio key", "SK", f"{_HEX}{{32}}(?!{_A})"),
    TokenForm("npm token", "npm_", f"{_A}{{36}}"),
    TokenForm("pypi token", "pypi-", f"AgE{_B}{{50,}}"),
    TokenForm("hugging face token", "hf_", f"(?=[a-zA-Z]*[A-Z0-9])[A-Za-z0-9]{{30,40}}(?!{_A})"),
    TokenForm("databricks token", "dapi", f"{_HEX}{{32}}(?:-\\d)?"),
    *(TokenForm("digitalocean token", f"do{letter}_v1_", f"{_HEX}{{64}}") for letter in "por"),
    *(TokenForm("shopify token", f"shp{end}_", "[0-9a-fA-F]{32}") for end in ("at", "ca", "pa", "ss")),
    *(TokenForm("square token", start, f"{_B}{{22,60}}") for start in ("sq0atp-", "sq0csp-")),
    TokenForm("linear key", "lin_api_", f"{_A}{{32,}}"),
    TokenForm("notion token", "secret_", f"(?=[A-Za-z]*\\d){_A}{{43}}(?!{_A})"),
    TokenForm("notion token", "ntn_", f"{_A}{{40,}}"),
    TokenForm("figma token", "figd_", f"{_B}{{40,}}"),
    *(TokenForm("vault token", start, f"{_B}{{24,}}") for start in ("hvs.", "hvb.", "hvr.")),
    TokenForm("heroku key", "HRKU-", f"{_B}{{36,}}"),
    TokenForm("atlassian token", "ATATT3", r"[A-Za-z0-9_=-]{100,}"),
    TokenForm("postman key", "PMAK-", f"{_HEX}{{24}}-{_HEX}{{34}}"),
    TokenForm("grafana token", "glsa_", f"{_A}{{32}}_{_HEX}{{8}}"),
    TokenForm("grafana token", "glc_", "[A-Za-z0-9+/]{32,}={0,2}"),
    TokenForm("new relic key", "NRAK-", "[A-Z0-9]{27}"),
    *(TokenForm("sentry token", start, r"[A-Za-z0-9+/_=-]{32,}") for start in ("sntrys_", "sntryu_")),
    TokenForm("planetscale token", "pscale_", r"(?:tkn|pw|oauth)_[\w.-]{32,}"),
    TokenForm("supabase token", "sbp_", f"{_HEX}{{40}}"),
    TokenForm("replicate token", "r8_", f"{_A}{{37}}"),
    TokenForm("groq key", "gsk_", f"{_A}{{40,}}"),
    TokenForm("perplexity key", "pplx-", f"{_A}{{40,}}"),
    TokenForm("xai key", "xai-", f"{_A}{{60,}}"),
    TokenForm("age key", "AGE-SECRET-KEY-1", "[0-9A-Z]{58}"),
    TokenForm("docker token", "dckr_pat_", f"{_B}{{27,}}"),
    TokenForm("pulumi token", "pul-", f"{_HEX}{{40}}"),
    TokenForm("rubygems key", "rubygems_", f"{_HEX}{{48}}"),
    TokenForm("tailscale key", "tskey-", r"(?:auth|api|client)-[A-Za-z0-9]+-[A-Za-z0-9]{16,}"),
    TokenForm("brevo key", "xkeysib-", rf"{_HEX}{{64}}-{_A}{{16}}"),
    TokenForm("doppler token", "dp.", r"(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}"),
    TokenForm("alibaba key", "LTAI", f"{_A}{{16,24}}(?!{_A})"),
    TokenForm("azure key", "AccountKey=", "[A-Za-z0-9+/]{80,}={0,2}"),
    TokenForm("jwt", "eyJ", r"[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]{10,})?"),
    TokenForm("1password token", "ops_eyJ", "[A-Za-z0-9_-]{100,}"),
    TokenForm("amazon token", "amzn.mws.", f"{_HEX}{{8}}(?:-{_HEX}{{4}}){{3}}-{_HEX}{{12}}"),
    TokenForm("dynatrace token", "dt0", r"[a-zA-Z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    TokenForm("firebase key", "AAAA", f"{_B}{{7}}:{_B}{{140}}"),
    *(TokenForm("new relic key", f"NR{kind}-", f"{_B}{{27,42}}") for kind in ("AA", "IQ", "II", "RA", "SP", "JS")),
    TokenForm("nuget key", "oy2", f"(?=[a-z]*\\d)[a-z0-9]{{43}}(?!{_A})"),
    TokenForm("braintree token", "access_token$", r"(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}"),
    TokenForm("riot key", "RGAPI-", "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"),
    TokenForm("stackhawk key", "hawk.", r"[\w-]{20}\.[\w-]{20}"),
    TokenForm("zapier webhook", "hooks.zapier.com/hooks/catch/", r"\d{4,}/\w{4,}"),
    TokenForm("teams webhook", "outlook.office.com/webhook/", r"[\w@-]{20,}/IncomingWebhook/\w+/[\w-]+"),
    TokenForm("facebook token", "EAACEdEose0cBA", f"{_A}{{20,}}"),
)
