"""Abbreviations and first words of sentences in English, German, Dutch, Czech, Polish, Spanish, Portuguese,
French, Italian and Russian, and some of Swedish and Danish, for splitting a text whose language nobody has
named.

What is a common word in one of these languages stands where the next word decides, or with a capital.
"""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Never the last word of a sentence: a name, a noun or a number follows.
TITLES = _set(
    "mr mrs ms dr prof st gen col lt sgt capt cmdr maj rev hon pres gov sen rep sir mt ft messrs mme mlle "
    "vs cf al ca approx e.g i.e viz hr fr frl dipl bzw z.b d.h vgl evtl ggf inkl exkl zzgl abzgl insb "
    "bspw sog ehem geb gest mio mrd tsd dhr mevr mw drs bijv resp incl excl mudr phdr judr rndr mvdr mgr "
    "ul nám tř např tzv tj zob ks inż hab płk ppłk kpt mjr dyr np tzw św sr sra srta sres sras dra dña "
    "avda excmo excma ilmo gral cnel mons pbro aprox profa exmo exma eng séc проф акад доц инж г-н г-жа "
    "тов ул пл пер наб просп бул св напр sig sigg sig.ra sig.na sig.ri dott dott.ssa prof.ssa avv rag geom "
    "egr gent.mo gent.ma spett card arch pvt cpl adm brig amb atty supt msgr doz lfd tis tys im m.in afd jhr "
    "pza ctra depto млн млрд t.ex f.eks bl.a bd mej"
)
# The same if written with a capital: in small letters these are words.
CAPITALISED = _set(
    "Fa Hl Mag Ing Ir Ds Fam Doc Bc Av Arq Lic Ten Cel Cap Red Por Mr Św Тов Им Пр Ул Св Гр См Ср Sto "
    "Sta Ste On Pr"
)
# Abbreviations before a number, words elsewhere.
BEFORE_NUMBERS = _set(
    "no nos pp vol fig figs eq sec ch art jan feb mar apr jun jul aug sep sept oct nov dec nr abb kap "
    "tab anm abs str max min rd blz afb hfst obr roč odst č rys ryc poz godz ok ust pkt pág págs núm cap "
    "apto tel тел стр рис табл гл см кв корп руб тыс п ст вып dn chap "
    "janv févr avr juil déc okt dez kl pag pagg ziff aufl jg hft zi pos apdo"
)
# These occur inside sentences as well as at their ends.
EITHER = _set(
    "inc ltd co corp jr sr bros dept est ave blvd rd univ a.m p.m b.c a.d ph.d med rer nat phil jur bes "
    "lt fa fam av csc drsc pl red por ing arq ud uds vd vds ej им пр гр ср tř zn std sek stk jh jhd гг "
    "lda chr"
)
# A list ends in these; a capital after them begins a sentence.
LIST_ENDS = _set("etc ecc osv usw usf enz atd apod itd itp др т.д т.п т.т.д т.т.п")
# Months after a day; some are words elsewhere.
MONTHS = _set(
    "jan janv jän ene gen feb febr fev févr mar mrt mrz apr avr abr mai maj mag giu jun jul juil lug "
    "aug ago sep sept set sett oct okt out ott nov dec dez dic déc"
)
OPENERS = _set(
    "the a an this that these those it he she we they you i in on at by for from with after before when "
    "while as if but and so yet or there here then now his her their our my its what who how why where "
    "not no all some many most one two both each every another such however der die das ein eine er sie "
    "es wir ich ihr man dann danach und aber doch denn im am auf mit von vom nach bei beim zu zum zur für "
    "aus wenn wie was wer wo warum hier dort heute morgen gestern jetzt nun auch alle viele kein keine "
    "niemand jeder diese dieser dieses nicht nur oben unten später deshalb seit während het een hij zij "
    "ze wij ik jij dan daarna toen dit deze maar ook nu daar vandaag niet geen iedereen waar waarom hoe "
    "met op voor naar ale pak potom ten ta ona oni je jsou byl byla bylo v ve na do z s po když kde kdo "
    "co jak proč dnes včera teď tam tady také nikdo všichni není to potem jest są był była było w kiedy "
    "gdy gdzie kto dlaczego dziś wczoraj jutro teraz tu też nikt wszyscy nie el los las un una él ella "
    "ellos ellas yo luego después entonces pero y en con por para cuando donde quien que qué cómo hoy "
    "ayer mañana ahora allí aquí también nadie todos fue era hay se su esto este esta o os um uma ele ela "
    "eles eu depois então mas e ou não em nos nas quando onde quem como hoje ontem amanhã agora ali aqui "
    "também ninguém é foi há isto il elle nous vous ils elles ce cette ces mais et puis ensuite alors "
    "dans sur avec pour par quand où qui comment demain ici aussi personne tous les это этот эта он она "
    "они мы вы я ты и а но или в на с по за из у к от до при когда где кто что как почему потом затем "
    "тогда теперь сегодня вчера завтра там здесь тут тоже также никто все всё нет не был была было есть "
    "его её их наш poi dopo allora però noi voi loro io gli questo questa oggi ieri domani anche perché "
    "nessuno tutti det hon så då idag everyone everybody nobody someone people"
)
# Before a German ordinal: am 3. Juni, der 17. Versuch.
DETERMINERS = _set(
    "der die das den dem des am im vom zum zur beim ans ins ein eine einen einem einer eines mein meine "
    "meinen meinem meiner dein deine sein seine seinen seinem seiner ihr ihre ihren ihrem ihrer unser "
    "unsere unserem unserer dieser diese dieses diesem diesen jeder jede jedes jedem jeden"
)
AFTER_ORDINALS = _set(
    "januar jänner februar märz april mai juni juli august september oktober november dezember advent jh "
    "jahrhundert jahrhunderts"
)
