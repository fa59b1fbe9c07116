/** Italian headlines in the format of parse.ts. Written before the rules; every third line is held back. */
export default `
1 | RACE.MI | earnings | Ferrari, utile netto in crescita del 10%
-1 | ENI.MI | earnings | Eni, crolla l'utile nel trimestre
-1 | STLA? | guidance | Stellantis taglia le stime per l'anno
1 | UCG.MI | guidance | UniCredit alza la guidance sugli utili
-1 |  | recalls | Richiamo per 50.000 auto: difetto ai freni
0 | ENEL.MI | executive-changes | Enel nomina il nuovo direttore finanziario
1 | ENEL.MI | dividends | Enel aumenta il dividendo
-1 | TEF.MC | dividends | Telefónica dimezza il dividendo
1 | ISP.MI | share-buybacks | Intesa Sanpaolo avvia il riacquisto di azioni proprie
-1 | BAYN.DE | lawsuits | Bayer condannata a pagare 2 miliardi
-1 |  | layoffs | Whirlpool annuncia 1.200 licenziamenti
-1 | UCG.MI | layoffs | UniCredit taglia 3.000 posti di lavoro
1 |  |  | Leonardo ottiene una commessa da 2 miliardi
1 | RACE.MI |  | Il titolo Ferrari tocca i massimi storici
-1 | TSLA |  | Tesla crolla in Borsa dopo i conti
1 | FTSEMIB | european-indices | Piazza Affari chiude in rialzo, Ftse Mib a +1%
-1 | FTSEMIB | european-indices | Milano in forte calo, il Ftse Mib perde il 2%
1 | DJI | us-indices | Wall Street in rialzo, Dow Jones da record
-1 | NDX | us-indices | Il Nasdaq affonda
0 |  | european-central-bank central-banks? | La Bce lascia i tassi invariati
0 |  | european-central-bank central-banks? | Bce, Lagarde invita alla prudenza
0 |  | federal-reserve central-banks? | La Fed taglia i tassi di un quarto di punto
-1 |  | inflation consumer-prices? | L'inflazione sale al 3% in Italia
1 |  | inflation consumer-prices? | L'inflazione rallenta più del previsto
-1 |  | gdp | Il Pil italiano si contrae dello 0,2%
1 |  | gdp | Il Pil cresce oltre le attese
-1 |  | jobs-reports? | La disoccupazione aumenta ancora
-1 |  | tariffs | Trump minaccia nuovi dazi contro l'Europa
0 | UCG.MI | mergers-and-acquisitions | UniCredit valuta l'acquisizione di Commerzbank
1 | ENEL.MI | mergers-and-acquisitions | Enel completa con successo l'acquisizione di un impianto
0 |  | ipos | Golden Goose rinvia la quotazione in Borsa
1 |  | ipos | Debutto in Borsa con il botto: il titolo vola
1 | RACE.MI | analyst-ratings | Goldman Sachs promuove Ferrari a buy
-1 | ENI.MI | analyst-ratings | Ubs taglia il giudizio su Eni
0 | ENEL.MI | analyst-ratings | Barclays conferma il giudizio neutral su Enel
1 | XAU | gold | L'oro tocca un nuovo record
-1 | XAU | gold | Il prezzo dell'oro cala del 2%
1 | BRENT | crude-oil | Petrolio in forte rialzo dopo la decisione dell'Opec
-1 | BRENT | crude-oil | Il prezzo del petrolio crolla
1 | BTC | bitcoin | Il bitcoin supera i 100.000 dollari
-1 | BTC | bitcoin | Il bitcoin precipita
-1 |  | strikes | Sciopero dei treni: disagi in tutta Italia
0 |  | strikes | Revocato lo sciopero dei piloti
-1 | GOOGL | antitrust | Multa da 4 miliardi per Google
-1 | META | antitrust? regulatory-probes? | L'Antitrust apre un'istruttoria su Meta
-1 | UCG.MI | regulatory-probes | La procura indaga su UniCredit
1 | UCG.MI | earnings | UniCredit batte le attese
-1 | ENI.MI | earnings | I ricavi di Eni deludono
1 | ENEL.MI | earnings | Enel, ricavi in aumento dell'8%
-1 | ENEL.MI | earnings | Enel guadagna meno del previsto
1 | RACE.MI | earnings | Le vendite di Ferrari calano meno del previsto
1 | ISP.MI | earnings | Intesa Sanpaolo, utile record
-1 |  | earnings | Si ampliano le perdite di Saipem
1 |  | earnings | Il gruppo riduce le perdite
1 | AIR.PA |  | Airbus vince un contratto da 5 miliardi
-1 | AIR.PA | supply-chains? | I ritardi frenano le consegne di Airbus
-1 | AAPL |  | Apple soffre la domanda debole in Cina
1 | TSLA |  | Tesla vola a Wall Street
-1 | BA |  | Boeing perde un grosso cliente
0 | AAPL |  | Apple presenta il nuovo iPhone
0 | NESN.SW | executive-changes | Si dimette l'amministratore delegato di Nestlé
1 | ISP.MI | guidance | Intesa Sanpaolo migliora gli obiettivi dopo un trimestre solido
-1 | SAN.PA | drug-trials? | Fallisce lo studio clinico di Sanofi
1 | UBSG.SW | earnings | Ubs raddoppia l'utile
0 | BTC | bitcoin? | Cosa sapere prima di comprare bitcoin
0 |  |  | Che tempo farà nel fine settimana
0 |  |  | La Juventus vince la Coppa Italia
0 |  |  | In mostra i tesori degli Uffizi
0 |  |  | Dieci consigli per dormire meglio
0 |  |  | I bambini disegnano la pace
-1 |  |  | Il mobilificio dichiara fallimento
-1 |  |  | La catena di moda in amministrazione controllata
1 |  |  | L'azienda evita il fallimento
-1 |  | layoffs | Renault elimina migliaia di posti di lavoro
1 |  |  | Il gruppo assumerà 2.000 persone
1 | BA |  | Boeing ottiene un ordine per 100 aerei
-1 | INTC | factories? | Intel sospende la costruzione della fabbrica
1 | NVDA | earnings | Nvidia batte ancora le stime
-1 | NVDA |  | Il titolo Nvidia arretra
0 | ENEL.MI |  | Enel riunisce l'assemblea dei soci a Roma
1 |  |  | Migliora la fiducia dei consumatori
-1 |  |  | La produzione industriale cala a maggio
-1 |  |  | Crollano le esportazioni
1 |  |  | Le esportazioni crescono con forza
-1 | STLA? | guidance | Allarme utili per Stellantis
1 | ENEL.MI | guidance | Enel conferma gli obiettivi nonostante i dazi
-1 | PYPL | data-breaches | Furto di dati ai danni di PayPal
0 | AMZN |  | Amazon apre un polo logistico in Piemonte
-1 | META | lawsuits | Gli editori fanno causa a Meta
1 | META | lawsuits | Il giudice respinge la causa contro Meta
-1 | SAN.MC |  | Banco Santander sanzionata dall'autorità
1 | ASML.AS |  | Ordini record per Asml
-1 | ASML.AS |  | Asml delude gli investitori
1 | COPPER |  | Il prezzo del rame sale
-1 | FTSEMIB DAX | european-indices | Borse europee in rosso: giù Ftse Mib e Dax
1 | EURUSD |  | L'euro sale ai massimi da tre anni sul dollaro
0 |  |  | Tasse: le scadenze da ricordare
0 | ENI.MI |  | Eni apre un centro di ricerca a Ferrara
-1 | HSBA.L | earnings | Hsbc, utile dimezzato
1 | ENI.MI |  | Eni firma un importante accordo in Libia
`
