import type { LanguageWords } from './language-words.ts'

export const german: LanguageWords = {
  rises: `
    steigt, steigen, stieg, gestiegen, steigert, steigern, wächst, wachsen, gewachsen, klettert, klettern, erhöht, erhöhen,
    erhöhung, anstieg, zunahme, zuwachs, plus, hebt, heben, anhebung, legt … zu, legen … zu, zieht … an, ziehen … an, zulegen,
    gewinnt, gewinnen, fester, höher, aufwärts, erholt, erholung, verbessert, verbessern, verbesserung, schafft, schaffen,
    mehr, macht, stockt … auf, baut … aus, baut … auf, ausbau, erreicht, verdient, verdienen, beschleunigt, übersteigt,
    kräftiger, aufgehellt, stärker, rally, beflügelt, treibt, antreibt`,
  falls: `
    sinkt, sinken, sank, gesunken, senkt, senken, senkung, fällt, fallen, fiel, gefallen, rückgang, rückgänge, schrumpft,
    schrumpfen, geht … zurück, gehen … zurück, gibt … nach, geben … nach, verliert, verlieren, minus, kürzt, kürzen, kürzung,
    streicht, streichen, streichung, baut … ab, bauen … ab, abbau, abbauen, rutscht, rutschen, schwächer, tiefer, niedriger,
    abwärts, verringert, verringern, reduziert, reduzieren, weniger, bremst, bremsen, drosselt, halbiert, abgenommen, nimmt … ab,
    trübt … ein, verfehlt, kappt, kassiert, verlangsamt, dämpft`,
  soars: `
    springt, springen, schießt, explodiert, verdoppelt, verdreifacht, vervielfacht, hebt ab, rekordhoch, allzeithoch,
    höchststand, höhenflug, kurssprung, kursfeuerwerk, kräftig`,
  plunges: `
    bricht … ein, brechen … ein, einbruch, einbrüche, stürzt, stürzen, absturz, kurssturz, kursrutsch, crash, kollabiert,
    sackt, tiefrot, bricht … weg, abgestürzt, eingebrochen`,
  good: `
    gewinn, gewinne, gewinns, gewinnen, umsatz, umsätze, absatz, ergebnis, ergebnisse, ertrag, erträge, überschuss, betriebsgewinn,
    prognose, prognosen, ausblick, ziele, jahresziele, erwartung, dividende, dividenden, ausschüttung, marge, margen, nachfrage,
    aktie, aktien, kurs, kurse, auftragseingang, aufträge, produktion, wirtschaft, konjunktur, bruttoinlandsprodukt, bip,
    exporte, ausfuhren, export, stellen, jobs, arbeitsplätze, arbeitsplatz, beschäftigung, index, stimmung, vertrauen, preis,
    investitionen, verkäufe, kaufkraft, wachstum, börse, börsen`,
  bad: `
    verlust, verluste, kosten, schulden, arbeitslosigkeit, arbeitslosenquote, arbeitslose, inflation, inflationsrate,
    teuerung, teuerungsrate, verbraucherpreise, insolvenzen, pleiten, ausgaben, fehlbetrag, defizit, risiken, zölle`,
  neutral: 'leitzins, leitzinsen, zins, zinsen, steuern, steuer, beteiligung, anteil, gebühren',
  plus: `
    übertrifft, übertreffen, übertroffen, schlägt, besser als erwartet, besser als gedacht, überrascht positiv, stark, starkes,
    starkem, starken, starker, starke, erfolgreich, erfolg, gelungen, gelungenes, auftrag, großauftrag, milliardenauftrag, zuschlag,
    kaufempfehlung, kaufen, hochgestuft, rückkauf, aktienrückkauf, bestätigt, abgewiesen, abgewendet,
    freispruch, freigesprochen, zulassung, genehmigung, durchbruch, positiv, optimistisch, zuversichtlich, outperform,
    overweight, sonderdividende, eigene aktien, erhält auftrag`,
  minus: `
    warnt, warnung, gewinnwarnung, enttäuscht, enttäuschend, enttäuschung, schwach, schwache, schwacher, schwachem, schwachen,
    leidet, leiden, klage, klagen, verklagt, verklagen, prozess, strafe, bußgeld, milliardenstrafe, millionenstrafe, geldstrafe,
    ermittelt, ermittlungen, ermittlung, razzia, durchsuchung, visier, vorwürfe, rückruf, ruft … zurück, rückschlag, probleme,
    lieferprobleme, streik, streiken, streiks, warnstreik, ausfall, panne, datenleck, hackerangriff, cyberangriff, droht, drohen,
    drohung, krise, stoppt, gestoppt, scheitert, gescheitert, verkaufen, verkauf empfohlen, abgestuft, stufen … ab, stuft … ab,
    herabgestuft, schließt filialen, schließung, entlassungen, entlässt, kündigungen, verfehlt, schlechter als erwartet,
    betrug, skandal, defekt, defekter, mangel, rezession, sorgen, angst, belastet, belasten, negativ, pessimistisch,
    underperform, underweight`,
  triumph: 'rekordgewinn, rekordumsatz, rekordergebnis, rekordauftragseingang, rekordjahr, sensationell',
  disaster: `
    insolvenz, insolvent, pleite, bankrott, gläubigerschutz, zahlungsunfähig, konkurs, milliardenverlust, schreibt … verlust,
    schreibt … verluste, verlust schreibt, verluste schreibt, rote zahlen`,
  not: 'wendet, weist, nicht, kein, keine, keinen, ohne, kaum, vermeidet, verhindert, beenden, beendet, ende',
  less: `
    weniger als erwartet, weniger stark als erwartet, weniger als befürchtet, weniger stark als befürchtet, weniger als gedacht,
    langsamer als erwartet, geringer als erwartet, kleiner als erwartet, kleiner als befürchtet, geringer als befürchtet`,
  despite: 'trotz, obwohl, ungeachtet',
  mask: `
    gewinnt … finale, gewinnt … pokal, gewinnt … titel, gewinnt … pokalfinale, stark wie, kurs auf, mehr als, kaufen will,
    will kaufen, stellt … vor, verschoben, hebt hervor`,
  clauses: 'während, aber, doch, dagegen, hingegen, jedoch, und, sondern',
  topics: {
    earnings: `
      gewinn, gewinne, gewinneinbruch, quartalszahlen, quartalsgewinn, geschäftszahlen, jahreszahlen, halbjahreszahlen,
      quartalsbilanz, jahresergebnis, nettogewinn, umsatz, umsätze, verlust, milliardenverlust, überschuss, betriebsergebnis,
      verdient, rekordgewinn, schlägt … erwartungen, übertrifft … erwartungen, zahlen vorgelegt, cloudumsatz`,
    guidance: `
      prognose, prognosen, gewinnprognose, jahresprognose, umsatzprognose, gewinnwarnung, ausblick, jahresziele, jahresziel,
      geschäftsausblick`,
    dividends: 'dividende, dividenden, ausschüttung, sonderdividende, dividendenkürzung',
    'share-buybacks':
      'aktienrückkauf, aktienrückkäufe, aktienrückkaufprogramm, rückkauf, kauft eigene aktien, eigene aktien',
    'mergers-and-acquisitions':
      'übernahme, übernahmen, übernimmt, fusion, fusioniert, übernahmeangebot, zusammenschluss, zukauf',
    ipos: 'börsengang, börsengänge, börsendebüt, ipo, an die börse, börsenneuling',
    layoffs: `
      stellenabbau, stellenstreichungen, jobabbau, entlassungen, entlässt, streicht … stellen, streicht … jobs, baut … stellen,
      baut … jobs, streichen … stellen, kündigungswelle, personalabbau`,
    'executive-changes': `
      finanzvorstand, ernennt, tritt … zurück, rücktritt, neuer chef, neuen chef, nachfolger, vorstandschef geht, wird neuer, chefwechsel`,
    'analyst-ratings': `
      auf kaufen, auf verkaufen, auf neutral, auf halten, kursziel, kursziele, hochgestuft, herabgestuft, abgestuft, einstufung,
      stufen … ab, stuft … ab, kaufempfehlung`,
    'european-central-bank': 'ezb, lagarde, europäische zentralbank',
    'central-banks':
      'leitzins, leitzinsen, zinssenkung, zinserhöhung, zinsentscheid, notenbank, zentralbank, zinspause, geldpolitik',
    'federal-reserve': 'us notenbank, fed, federal reserve, powell',
    inflation: 'inflation, teuerung, teuerungsrate, inflationsrate, verbraucherpreise, preisauftrieb',
    gdp: `
      bruttoinlandsprodukt, bip, wirtschaft schrumpft, wirtschaft wächst, wirtschaftsleistung, wirtschaftswachstum, rezession`,
    'jobs-reports': 'arbeitslosigkeit, arbeitslosenzahlen, arbeitslosenquote, arbeitsmarkt, arbeitsmarktdaten',
    tariffs: 'zölle, zöllen, zoll, strafzölle, strafzöllen, zollstreit, handelskrieg, importzölle',
    'european-indices': 'dax, europas börsen, eurostoxx, euro stoxx, mdax, börse frankfurt, smi, atx',
    'us-indices': 'dow jones, nasdaq, wall street, s&p',
    'asian-indices': 'nikkei, hang seng, asiens börsen',
    'crude-oil': 'ölpreis, ölpreise, rohöl, brent, opec, erdöl',
    gold: 'goldpreis, goldpreise, feinunze, gold rekordhoch',
    bitcoin: 'bitcoin',
    strikes: 'streik, streiks, streiken, warnstreik, warnstreiks, arbeitskampf, ausstand',
    recalls: 'rückruf, rückrufe, ruft … zurück, rückrufaktion',
    lawsuits: 'klage, klagen, verklagt, verklagen, prozess, gericht, urteil, sammelklage, vergleich zahlt',
    antitrust:
      'kartellamt, kartellstrafe, eu verhängt, wettbewerbshüter, kartellverfahren, kartellrecht, milliardenstrafe',
    'regulatory-probes': 'ermittelt, ermittlungen, bafin, razzia, staatsanwaltschaft, finanzaufsicht',
    'data-breaches': 'datenleck, datenpanne, hackerangriff, cyberangriff, datendiebstahl',
  },
}
