import { commaNumbers, type Language } from './language.ts'

const ordinals = ['ersten', 'zweiten', 'dritten', 'vierten']

export const german: Language = {
  code: 'de',
  joiner: ' ',
  contentLength: 270,
  numbers: commaNumbers({
    group: '.',
    percent: ' Prozent',
    billions: 'Milliarden',
    millions: 'Millionen',
    currencies: { USD: 'Dollar', EUR: 'Euro', GBP: 'Pfund', JPY: 'Yen', CHF: 'Franken' },
  }),
  assetNames: {},
  quarter: (quarter) => `${ordinals[quarter - 1]} Quartal`,
  quarterLabel: (quarter, year) => `${quarter}. Quartal ${year}`,
  banks: {
    US: 'die Fed',
    EU: 'die EZB',
    GB: 'die Bank of England',
    JP: 'die Bank of Japan',
    CN: 'die chinesische Notenbank',
  },
  places: { US: 'in den USA', EU: 'im Euroraum', GB: 'in Großbritannien', JP: 'in Japan', CN: 'in China' },
  eventTemplates: {
    'earnings-beat': {
      titles: [
        '{name} übertrifft die Erwartungen im {quarter}',
        'Starkes Quartal: {name} steigert Umsatz um {pctHigh}',
      ],
      leads: [
        '{name} hat im {quarter} den Umsatz um {pctHigh} auf {revenueHigh} gesteigert und damit die Prognosen der Analysten übertroffen.',
      ],
      details: ['Besonders kräftig wuchs das Geschäft in Übersee, auch die Marge verbesserte sich deutlich.'],
    },
    'earnings-miss': {
      titles: ['{name} verfehlt die Erwartungen im {quarter}', 'Schwache Zahlen: Aktie von {name} fällt um {pct}'],
      leads: [
        '{name} hat im {quarter} nur {revenueLow} umgesetzt und damit die Prognose von {revenueHigh} klar verfehlt.',
      ],
      details: ['Höhere Kosten und eine schwache Nachfrage drückten auf den Gewinn, wie das Unternehmen einräumte.'],
    },
    'guidance-cut': {
      titles: ['Gewinnwarnung: {name} senkt die Prognose', '{name} wird für {year} vorsichtiger'],
      leads: [
        '{name} hat die Umsatzprognose für {year} von {yearHigh} auf {yearLow} gesenkt und vor einem schwierigen zweiten Halbjahr gewarnt.',
      ],
      details: ['Als Gründe nannte der Vorstand stornierte Aufträge und hohe Lohnkosten.'],
    },
    'analyst-upgrade': {
      titles: ['{broker} stuft {name} auf „Kaufen“ hoch', 'Analysten trauen {name} {pctHigh} Kursplus zu'],
      leads: ['{broker} hat die Aktie von {name} auf „Kaufen“ hochgestuft und sieht ein Kurspotenzial von {pctHigh}.'],
      details: ['Das Unternehmen gewinne Marktanteile, und die Bewertung sei attraktiv, heißt es in der Studie.'],
    },
    'analyst-downgrade': {
      titles: ['{broker} stuft {name} auf „Verkaufen“ ab', 'Analysten warnen vor zu hoher Bewertung von {name}'],
      leads: ['{broker} hat die Aktie von {name} auf „Verkaufen“ abgestuft und das Kursziel um {pctHigh} gesenkt.'],
      details: ['Der Wettbewerb nehme zu, und das Wachstum lasse nach, heißt es in der Studie.'],
    },
    buyback: {
      titles: ['{name} kauft eigene Aktien für {moneyHigh} zurück', 'Aktienrückkauf: {name} beschenkt seine Aktionäre'],
      leads: [
        '{name} will in den kommenden {months} Monaten eigene Aktien im Wert von bis zu {moneyHigh} zurückkaufen.',
      ],
      details: ['Die Bilanz sei stark genug, um zugleich in weiteres Wachstum zu investieren, teilte der Konzern mit.'],
    },
    layoffs: {
      titles: ['{name} streicht {count} Stellen', 'Stellenabbau bei {name} trifft {count} Beschäftigte'],
      leads: ['{name} streicht {count} Stellen, weil die Geschäfte schlechter laufen als geplant.'],
      details: [
        'Die Gewerkschaft kritisierte den Schritt scharf; die Kosten des Umbaus werden auf {moneyLow} geschätzt.',
      ],
    },
    'product-launch': {
      titles: ['{name} stellt {brand} vor', 'Mit {brand} will {name} neue Kunden gewinnen'],
      leads: [
        '{name} hat in {city} die Neuheit {brand} vorgestellt, die ersten Bestellungen liegen über den Erwartungen.',
      ],
      details: ['Fachleute lobten die Technik, die Auslieferung soll in {months} Monaten beginnen.'],
    },
    'antitrust-probe': {
      titles: ['Kartellwächter nehmen {name} ins Visier', 'Wettbewerbsbehörde ermittelt gegen {name}'],
      leads: [
        'Die Wettbewerbsbehörde hat eine Untersuchung gegen {name} eingeleitet; im schlimmsten Fall droht eine Strafe von {moneyLow}.',
      ],
      details: ['Das Unternehmen weist den Verdacht zurück, einen Missbrauch von Marktmacht habe es nicht gegeben.'],
    },
    partnership: {
      titles: ['{name} und {peer} vereinbaren Partnerschaft', '{name} verbündet sich mit {peer}'],
      leads: ['{name} und {peer} wollen künftig zusammenarbeiten und dadurch jährlich {moneyLow} einsparen.'],
      details: ['Ein gemeinsames Team soll in {city} entstehen, Anleger begrüßten die Vereinbarung.'],
    },
    'coin-rally': {
      titles: ['{name} steigt um {pct}', 'Kryptowährungen: {name} legt kräftig zu'],
      leads: [
        '{name} hat innerhalb eines Tages um {pct} zugelegt, weil frisches Geld in den Kryptomarkt geflossen ist.',
      ],
      details: ['Auf dem falschen Fuß erwischte Leerverkäufer mussten sich eindecken, was den Anstieg verstärkte.'],
    },
    'coin-slide': {
      titles: ['{name} bricht um {pct} ein', 'Ausverkauf am Kryptomarkt belastet {name}'],
      leads: ['{name} ist um {pct} gefallen, nachdem viele kreditfinanzierte Positionen aufgelöst worden waren.'],
      details: ['Händler sprachen von Panikverkäufen, auch andere Kryptowährungen gerieten unter Druck.'],
    },
    'index-gain': {
      titles: ['{name} schließt {pct} im Plus', 'Börse in Kauflaune: {name} legt zu'],
      leads: [
        'Der {name} hat den Handel mit einem Plus von {pct} beendet, gute Unternehmenszahlen stützten die Kurse.',
      ],
      details: [
        'Sinkende Anleiherenditen sorgten zusätzlich für gute Stimmung, gefragt waren vor allem zyklische Werte.',
      ],
    },
    'index-fall': {
      titles: ['{name} verliert {pct}', 'Zinssorgen drücken den {name}'],
      leads: ['Der {name} hat {pct} verloren, nachdem steigende Anleiherenditen die Anleger verschreckt hatten.'],
      details: [
        'Besonders Technologiewerte standen unter Druck, nur wenige Aktien konnten sich dem Abwärtssog entziehen.',
      ],
    },
    'gold-rally': {
      titles: ['Gold verteuert sich um {pct}', 'Goldpreis nähert sich dem Rekord'],
      leads: ['Der Goldpreis ist um {pct} gestiegen, weil Notenbanken und vorsichtige Anleger zugreifen.'],
      details: ['Ein schwächerer Dollar macht das Edelmetall für Käufer außerhalb der USA attraktiver.'],
    },
    'oil-supply-cut': {
      titles: ['Ölpreis steigt nach Förderkürzung um {pct}', 'Brent und WTI legen nach Beschluss der Förderländer zu'],
      leads: [
        'Die Ölpreise sind um {pct} gestiegen, nachdem mehrere Förderländer ihre Kürzungen um {months} Monate verlängert hatten.',
      ],
      details: ['Die Lagerbestände von Rohöl sinken seit Wochen, das stützt die Notierungen von Brent und WTI.'],
    },
    'rate-cut': {
      titles: ['{Bank} senkt den Leitzins auf {rateLow}', 'Zinssenkung: {bank} lockert die Geldpolitik'],
      leads: ['{Bank} hat den Leitzins um {bp} Basispunkte auf {rateLow} gesenkt, um die Konjunktur zu stützen.'],
      details: ['Die Teuerung sei unter Kontrolle, Kreditnehmer dürften bald entlastet werden.'],
    },
    'rate-hold': {
      titles: ['{Bank} lässt den Leitzins unverändert', 'Leitzins bleibt bei {rateHigh}'],
      leads: ['{Bank} hat den Leitzins wie erwartet bei {rateHigh} belassen.'],
      details: ['Weitere Schritte hängen nach Angaben der Währungshüter von den kommenden Daten ab.'],
    },
    'inflation-cools': {
      titles: ['Inflation {place} sinkt auf {pctLow}', 'Preisauftrieb {place} lässt nach'],
      leads: [
        'Die Inflation {place} ist von {pctHigh} auf {pctLow} gesunken, das nährt die Hoffnung auf niedrigere Zinsen.',
      ],
      details: ['Vor allem Energie wurde günstiger, auch Lebensmittel kosteten weniger als im Vormonat.'],
    },
    'inflation-heats': {
      titles: ['Inflation {place} steigt auf {pctHigh}', 'Preisschock {place}: Teuerung zieht an'],
      leads: [
        'Die Inflation {place} ist von {pctLow} auf {pctHigh} gestiegen, Zinssenkungen rücken damit in die Ferne.',
      ],
      details: ['Mieten und Lebensmittel verteuerten sich stark, die Kaufkraft der Haushalte schwindet.'],
    },
  },
  onePeer: ['Auch {peer} stand im Blickpunkt.', 'Händler achteten zudem auf {peer}.'],
  twoPeers: ['Auch {peer} und {peer2} standen im Blickpunkt.'],
  backgrounds: {},
  closings: {
    positive: [
      'An den Märkten wurde die Nachricht mit Erleichterung aufgenommen.',
      'Beobachter sprechen von einem ermutigenden Signal.',
      'Fachleute von {broker} rechnen mit weiterem Rückenwind.',
      'Die Stimmung der Anleger hat sich spürbar aufgehellt.',
    ],
    negative: [
      'An den Märkten wurde die Nachricht mit Enttäuschung aufgenommen.',
      'Beobachter sprechen von einem herben Rückschlag.',
      'Fachleute von {broker} rechnen mit weiterem Gegenwind.',
      'Die Stimmung der Anleger hat sich spürbar eingetrübt.',
    ],
    neutral: [
      'An den Märkten löste die Nachricht kaum Bewegung aus.',
      'Beobachter hatten mit diesem Ergebnis gerechnet.',
      'Fachleute von {broker} lassen ihre Prognosen unverändert.',
      'Weitere Einzelheiten sollen in den kommenden Wochen folgen.',
      'Die nächste Sitzung findet in einigen Wochen statt.',
    ],
  },
  authors: {
    given: ['Anselm', 'Birte', 'Clemens', 'Dörte', 'Eike', 'Frauke', 'Gernot', 'Hedda', 'Ingolf', 'Jutta'],
    family: [
      'Ahornbach',
      'Birkental',
      'Distelkamp',
      'Eulenfeld',
      'Finkenried',
      'Habichtswald',
      'Kranichsee',
      'Lindwurm',
    ],
  },
}
