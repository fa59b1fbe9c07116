/** German headlines in the format of parse.ts. Written before the rules; every third line is held back. */
export default `
1 | SAP.DE | earnings | SAP steigert Quartalsgewinn um 20 Prozent
-1 | VOW3.DE | earnings | Gewinneinbruch bei Volkswagen
-1 | BAS.DE | guidance | BASF senkt Gewinnprognose wegen schwacher Nachfrage
1 | SIE.DE | guidance | Siemens hebt Prognose für das Gesamtjahr an
-1 | BMW.DE | recalls | BMW ruft 1,5 Millionen Autos wegen defekter Bremsen zurück
0 | ALV.DE | executive-changes | Allianz ernennt neuen Finanzvorstand
1 | DTE.DE | dividends | Deutsche Telekom erhöht Dividende auf 90 Cent
-1 | TEF.MC | dividends | Telefónica kürzt Dividende
1 | ADS.DE | share-buybacks | Adidas kündigt Aktienrückkauf über eine Milliarde Euro an
-1 | BAYN.DE | lawsuits | Bayer verliert Glyphosat-Prozess in den USA
-1 | VOW3.DE | layoffs | VW streicht 35.000 Stellen
-1 | DBK.DE | layoffs | Stellenabbau: Deutsche Bank schließt 200 Filialen
1 | RHM.DE |  | Rheinmetall erhält Großauftrag der Bundeswehr
1 | RHM.DE |  | Rheinmetall-Aktie steigt auf Rekordhoch
-1 | IFX.DE |  | Infineon-Aktien brechen nach Gewinnwarnung ein
1 | DAX | european-indices | Dax schließt fester
-1 | DAX | european-indices | Dax rutscht unter 20.000 Punkte
1 | DJI | us-indices | Dow Jones legt nach Fed-Entscheid deutlich zu
-1 | NDX | us-indices | Technologiewerte ziehen Nasdaq ins Minus
0 |  | european-central-bank central-banks? | EZB lässt Leitzins unverändert
0 |  | european-central-bank central-banks? | EZB-Rat berät über Zinssenkung
0 |  | federal-reserve central-banks? | US-Notenbank Fed senkt Leitzins um 25 Basispunkte
-1 |  | consumer-prices? inflation | Inflation in Deutschland steigt überraschend auf drei Prozent
1 |  | consumer-prices? inflation | Teuerungsrate sinkt stärker als erwartet
-1 |  | gdp | Deutsche Wirtschaft schrumpft im dritten Quartal
1 |  | gdp | Bruttoinlandsprodukt wächst um 0,4 Prozent
-1 |  | jobs-reports? | Arbeitslosigkeit in Deutschland steigt auf höchsten Stand seit zehn Jahren
-1 |  | tariffs | Trump droht Europa mit neuen Zöllen
0 | UCG.MI | mergers-and-acquisitions | Unicredit prüft Übernahme der Commerzbank
1 | SIE.DE | mergers-and-acquisitions | Siemens schließt Übernahme von Softwarefirma erfolgreich ab
0 |  | ipos | Börsengang von Autodoc verschoben
1 |  | ipos | Gelungenes Börsendebüt: Aktie springt um 30 Prozent
1 | SAP.DE | analyst-ratings | Goldman Sachs hebt SAP auf Kaufen
-1 | MBG.DE | analyst-ratings | Analysten stufen Mercedes-Benz auf Verkaufen ab
0 | BMW.DE | analyst-ratings | UBS belässt BMW auf Neutral
1 | XAU | gold | Goldpreis klettert auf Rekordhoch
-1 | XAU | gold | Goldpreis fällt den dritten Tag in Folge
1 | BRENT | crude-oil | Ölpreise ziehen kräftig an
-1 | BRENT | crude-oil | Ölpreis fällt unter 60 Dollar
1 | BTC | bitcoin | Bitcoin steigt über 100.000 Dollar
-1 | BTC | bitcoin | Kurssturz bei Bitcoin
-1 |  | strikes | Lufthansa-Piloten streiken am Freitag
0 |  | strikes | Bahn und Gewerkschaft beenden Streik
-1 | GOOGL | antitrust | EU verhängt Milliardenstrafe gegen Google
-1 | MSFT | antitrust? regulatory-probes? | Kartellamt nimmt Microsoft ins Visier
-1 | DBK.DE | regulatory-probes | Bafin ermittelt gegen Deutsche Bank
1 | MBG.DE | earnings | Mercedes-Benz übertrifft Erwartungen im zweiten Quartal
-1 | BAS.DE | earnings | Umsatz von BASF geht zurück
1 | SAP.DE | earnings | SAP: Cloudumsatz wächst stärker als erwartet
-1 | ADS.DE | earnings | Adidas verdient weniger als erwartet
1 | VOW3.DE | earnings | Volkswagens Gewinn fällt weniger stark als befürchtet
1 | DTE.DE | earnings | Deutsche Telekom macht mehr Gewinn
-1 | BAYN.DE | earnings | Bayer schreibt Milliardenverlust
1 | BAYN.DE | earnings | Bayer verringert Verlust deutlich
1 | SIE.DE |  | Siemens gewinnt Milliardenauftrag in Ägypten
-1 | AIR.PA |  | Lieferprobleme bremsen Airbus
-1 | TSLA |  | Tesla-Absatz in Deutschland bricht ein
1 | TSLA |  | Tesla-Aktie hebt ab
-1 | AAPL |  | Apple leidet unter schwacher Nachfrage in China
0 | AAPL |  | Apple stellt neues iPhone vor
0 | NESN.SW | executive-changes | Nestlé-Chef tritt zurück
1 | NOVN.SW | earnings guidance | Novartis hebt nach starkem Quartal die Jahresziele an
-1 | ROG.SW | drug-trials? | Roche erleidet Rückschlag mit Alzheimer-Medikament
1 | UBSG.SW | earnings | UBS verdoppelt Gewinn
0 | BTC | bitcoin? | Was Bitcoin-Anleger jetzt wissen müssen
0 |  |  | So wird das Wetter am Wochenende
0 |  |  | Der FC Bayern gewinnt das Pokalfinale
0 |  |  | Über den Wolken: Neue Ausstellung im Museum
0 |  |  | Kinder malen Bilder für den Frieden
0 |  |  | Zehn Tipps für einen gesunden Schlaf
-1 |  |  | Autozulieferer meldet Insolvenz an
-1 |  |  | Modekette beantragt Gläubigerschutz
1 |  |  | Autozulieferer wendet Insolvenz ab
-1 |  | layoffs | Continental baut Tausende Jobs ab
1 |  |  | Autobauer schafft 2.000 neue Arbeitsplätze
-1 | BA |  | Boeing verliert Großkunden
1 | AIR.PA |  | Airbus erhält Auftrag über 100 Flugzeuge
-1 | INTC | factories? | Intel stoppt Fabrikbau in Magdeburg
1 | NVDA | earnings | Nvidia schlägt die Erwartungen erneut
-1 | NVDA |  | Nvidia-Kurs gibt nach
0 | ALV.DE |  | Allianz hält Hauptversammlung in München ab
1 |  |  | Konjunktur: Ifo-Index steigt unerwartet
-1 |  |  | Industrieproduktion sinkt im Mai
-1 |  |  | Ausfuhren brechen ein
1 |  |  | Exporte legen kräftig zu
-1 | MBG.DE | guidance | Mercedes kassiert Jahresziele
1 | MBG.DE | guidance | Mercedes bestätigt trotz Zöllen seine Prognose
-1 | PYPL | data-breaches | Datenleck bei PayPal: Millionen Konten betroffen
0 | AMZN |  | Amazon eröffnet Logistikzentrum in Bayern
-1 | META | lawsuits | Verbraucherschützer verklagen Meta
1 | META | lawsuits | Gericht weist Klage gegen Meta ab
-1 | SAN.MC |  | Banco Santander muss Millionenstrafe zahlen
1 | ASML.AS | earnings? | ASML mit Rekordauftragseingang
-1 | ASML.AS |  | ASML enttäuscht Anleger
1 | COPPER |  | Kupferpreis steigt
-1 | DAX SMI? | european-indices | Europas Börsen tiefrot – Dax verliert drei Prozent
1 | EURUSD |  | Euro steigt auf höchsten Stand seit drei Jahren
0 |  |  | Steuererklärung: Diese Fristen gelten
0 | SAP.DE |  | SAP lädt zur Entwicklerkonferenz ein
-1 | HSBA.L | earnings | HSBC: Gewinn halbiert sich
1 | BNP.PA | share-buybacks | BNP Paribas kauft eigene Aktien für eine Milliarde zurück
`
