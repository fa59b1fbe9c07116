/** French headlines in the format of parse.ts. Written before the rules; every third line is held back. */
export default `
1 | MC.PA | earnings | LVMH : le bénéfice net bondit de 15 %
-1 | MC.PA | earnings | Les ventes de LVMH reculent au troisième trimestre
-1 | OR.PA | guidance | L'Oréal abaisse ses prévisions annuelles
1 | AIR.PA | guidance | Airbus relève ses objectifs pour 2026
-1 | AIR.PA |  | Airbus livre moins d'avions que prévu
0 | SAN.PA | executive-changes | Sanofi nomme un nouveau directeur financier
1 | TTE.PA | dividends | TotalEnergies augmente son dividende de 7 %
-1 |  | dividends | Orpea supprime son dividende
1 | BNP.PA | share-buybacks | BNP Paribas lance un rachat d'actions d'un milliard d'euros
-1 | BAYN.DE | lawsuits | Bayer condamné à payer 2 milliards de dollars
-1 |  | layoffs | Michelin va supprimer 1.200 emplois
-1 | SAN.PA | layoffs | Sanofi : un plan de licenciements touche 300 salariés
1 | AIR.PA |  | Airbus décroche une commande géante en Inde
1 | RMS.PA |  | L'action Hermès atteint un plus haut historique
-1 | TSLA |  | L'action Tesla plonge après ses résultats
1 | CAC40 | european-indices | Le CAC 40 termine en hausse
-1 | CAC40 | european-indices | La Bourse de Paris chute, le CAC 40 perd 2 %
1 | DJI | us-indices | Wall Street finit dans le vert, le Dow Jones à un record
-1 | NDX | us-indices | Le Nasdaq décroche, plombé par les valeurs technologiques
0 |  | european-central-bank central-banks? | La BCE maintient ses taux directeurs
0 |  | european-central-bank central-banks? | BCE : Lagarde plaide pour la prudence
0 |  | federal-reserve central-banks? | La Fed abaisse ses taux d'un quart de point
-1 |  | inflation consumer-prices? | L'inflation accélère à 3 % en France
1 |  | inflation consumer-prices? | L'inflation ralentit plus que prévu en zone euro
-1 |  | gdp | Le PIB français recule de 0,2 %
1 |  | gdp | La croissance française dépasse les attentes
-1 |  | jobs-reports? | Le chômage augmente pour le troisième mois d'affilée
-1 |  | tariffs | Washington menace l'Europe de nouveaux droits de douane
0 | BNP.PA | mergers-and-acquisitions | BNP Paribas étudie le rachat d'un gérant d'actifs
1 | SAN.PA | mergers-and-acquisitions | Sanofi boucle l'acquisition d'une biotech américaine
0 |  | ipos | Exail prépare son introduction en Bourse
1 |  | ipos | Entrée en Bourse réussie : le titre s'envole de 40 %
1 | MC.PA | analyst-ratings | Goldman Sachs relève LVMH à l'achat
-1 | OR.PA | analyst-ratings | UBS dégrade L'Oréal à la vente
0 | AI.PA | analyst-ratings | Jefferies reste neutre sur Air Liquide
1 | XAU | gold | Le cours de l'or atteint un nouveau record
-1 | XAU | gold | L'once d'or recule de 2 %
1 | BRENT | crude-oil | Le pétrole grimpe après la décision de l'Opep
-1 | BRENT | crude-oil | Les cours du pétrole s'effondrent
1 | BTC | bitcoin | Le bitcoin repasse au-dessus des 100.000 dollars
-1 | BTC | bitcoin | Le bitcoin dévisse
-1 |  | strikes | Grève à la SNCF : le trafic très perturbé
0 |  | strikes | Fin de la grève dans les raffineries
-1 | GOOGL | antitrust | Google écope d'une amende de 4 milliards d'euros
-1 | META | antitrust? regulatory-probes? | Bruxelles ouvre une enquête contre Meta
-1 | BNP.PA | regulatory-probes | BNP Paribas visée par une enquête pour blanchiment
1 | BNP.PA | earnings | BNP Paribas : résultats meilleurs que prévu
-1 | TTE.PA | earnings | Le bénéfice de TotalEnergies chute de 20 %
1 | AIR.PA | earnings | Airbus : le chiffre d'affaires progresse de 8 %
-1 | SAN.PA | earnings | Les résultats de Sanofi déçoivent
1 | MC.PA | earnings | Les ventes de LVMH baissent moins que prévu
1 | RMS.PA | earnings | Hermès : les ventes augmentent fortement
-1 |  | earnings | Atos creuse ses pertes
1 |  | earnings | Casino réduit sa perte
1 | AIR.PA |  | Airbus remporte un contrat de 5 milliards
-1 | AIR.PA | supply-chains? | Airbus confronté à des retards de livraison
-1 | TSLA |  | Les ventes de Tesla s'effondrent en Europe
1 | TSLA |  | Tesla s'envole à Wall Street
-1 | AAPL |  | Apple souffre de la faiblesse de la demande en Chine
0 | AAPL |  | Apple présente son nouvel iPhone
0 | NESN.SW | executive-changes | Le patron de Nestlé démissionne
1 | OR.PA | guidance | L'Oréal relève ses objectifs après un bon trimestre
-1 | SAN.PA | drug-trials? | Échec d'un essai clinique pour Sanofi
1 | UBSG.SW | earnings | UBS double son bénéfice
0 | BTC | bitcoin? | Ce qu'il faut savoir avant d'acheter du bitcoin
0 |  |  | Quel temps fera-t-il ce week-end
0 |  |  | Le PSG remporte la Ligue des champions
0 |  |  | Exposition : les trésors du musée d'Orsay
0 |  |  | Dix conseils pour mieux dormir
0 |  |  | Les enfants dessinent pour la paix
-1 |  |  | Le fabricant de meubles dépose le bilan
-1 |  |  | L'enseigne de prêt-à-porter placée en redressement judiciaire
1 |  |  | Le sous-traitant échappe à la faillite
-1 |  | layoffs | Renault supprime des milliers de postes
1 |  |  | Le groupe va créer 2.000 emplois
-1 | BA |  | Boeing perd un gros client
1 | BA |  | Boeing obtient une commande de 100 avions
-1 | INTC | factories? | Intel suspend son projet d'usine
1 | NVDA | earnings | Nvidia bat une nouvelle fois le consensus
-1 | NVDA |  | Le titre Nvidia cède du terrain
0 | AI.PA |  | Air Liquide tient son assemblée générale à Paris
1 |  |  | Le moral des ménages s'améliore
-1 |  |  | La production industrielle baisse en mai
-1 |  |  | Les exportations chutent
1 |  |  | Les exportations progressent nettement
-1 | MC.PA | guidance | Avertissement sur résultats pour le géant du luxe LVMH
1 | AIR.PA | guidance | Airbus confirme ses objectifs malgré les droits de douane
-1 | PYPL | data-breaches | Fuite de données chez PayPal
0 | AMZN |  | Amazon ouvre un entrepôt près de Lyon
-1 | META | lawsuits | Des éditeurs portent plainte contre Meta
1 | META | lawsuits | La justice rejette la plainte contre Meta
-1 | SAN.MC |  | Banco Santander sanctionnée par le régulateur
1 | ASML.AS |  | ASML : carnet de commandes record
-1 | ASML.AS |  | ASML déçoit les investisseurs
1 | COPPER |  | Le cours du cuivre grimpe
-1 | CAC40 DAX | european-indices | Les Bourses européennes dans le rouge, CAC 40 et Dax en baisse
1 | EURUSD |  | L'euro au plus haut depuis trois ans face au dollar
0 |  |  | Impôts : les dates limites à connaître
0 | OR.PA |  | L'Oréal ouvre un centre de recherche à Tokyo
-1 | HSBA.L | earnings | HSBC voit son bénéfice divisé par deux
1 | AI.PA |  | Air Liquide signe un contrat majeur aux États-Unis
`
