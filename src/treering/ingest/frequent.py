"""The most frequent characters of Chinese, Japanese and Korean: what a right reading of bytes is full of.

A reading in the wrong encoding scatters over thousands of characters. These few make up half of a Chinese text,
a third of the Chinese characters in a Japanese one and three quarters of a Korean one.
"""

from __future__ import annotations

from typing import Final

SIMPLIFIED: Final = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法"
    "学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业"
    "外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加斯月话合回特代内信表化老给世位次度门任常先海通教原东声提立"
    "及比员解水名真论处走义各入几口认条平系气题活更别打女变四总何电数安少报才结反受目量再感建务做接必场件计管期市直资命山金指统区保至形"
    "社便空决治展科司五基书非则界达放强即难且权完设式色路记南品住告类求据程北边该交规万取格望术领共确传师观清今切院让识带导争运线周班组"
)
"""Of simplified Chinese: some 350."""

TRADITIONAL: Final = frozenset(
    "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法"
    "學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日者意無力它與長把機十民第公此已工使情明性知全三又關點正業外"
    "將兩高間由問很最重並物手應向頭文體政美相見被利什二等產或新己制身果加月話合回特代內信表化老給世位次度門任常先海通教原東聲提立及比員"
    "解水名真論處走義各入幾口認條平系氣題活更別打女變四總何電數安少報才結反受目量再感建務做接必場件計管期市直資命山金指統區保至形社便空"
)
"""Of traditional Chinese: some 300."""

JAPANESE: Final = frozenset(
    "日一国会人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者地合市業内相方四定今回新場金員入選立開手力学問高代明実"
    "円関決子動京全目表経通外最言現理調体化田当約主題下首意法不来作性的要用制治度務強気小成期公野協取都和統以機平総加山思家話世受区領多"
    "県続進正安設保改数記院女初北指心界支第産結点教報済書府活原先共得解名交資予川向際面委告文元重近考認画海参利組知案道信策集在件団別物"
    "側任引使求所次水半品論計官増特情投示変男基私各始島直価式確村提運終果西台広容必応電歳住談能無再位置企真流格有口過局少放検藤町常校料"
    "状工建語営空職証土急止送供可役構木聞身費付施切由説転食比補車研断何南石消番規術展態備宅配算条席起万着店残線質待試早限親担当佐太郎齢"
)
"""Of the Chinese characters in Japanese: some 330."""

KOREAN: Final = frozenset(
    "이다는을의에가고하지한은로기를사대어시리도자인서나아해정일보수부그있들과장으상원제스라주전조국여마구비러면성문선위경동유미오용만무중치"
    "신당학관회방화연안내세생간물통재발트계실민진거게데했었된되할등와요점입니습모바석영호강금단말명박백법본분산설소식심업역예외우운울음읽"
    "작적절족종직집차참천체초최출타터토파판포표필함항행향현형확환활황후합습않없같것때또매많번별새속습양워월저좋준즉질찾처추코크키태페프"
)
"""Of Korean: some 200."""


def share(frequent: frozenset[str], letters: str) -> float:
    """Return how many of ``letters`` are among the frequent ones, 0..1."""
    return sum(one in frequent for one in letters) / len(letters) if letters else 0.0
