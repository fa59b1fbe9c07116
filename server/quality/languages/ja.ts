/** Japanese headlines in the format of parse.ts. Written before the rules; every third line is held back. */
export default `
1 | 7203.T | earnings | トヨタ、純利益2割増　4〜9月期
-1 | 7267.T | earnings | ホンダ、営業利益3割減
-1 | 7267.T | guidance | ホンダ、通期予想を下方修正
1 | 6758.T | guidance | ソニーG、業績予想を上方修正
-1 | 7203.T | recalls | トヨタ、10万台をリコール　ブレーキに不具合
0 | 9984.T | executive-changes | ソフトバンクG、新CFOに後藤氏が就任
1 | 8306.T | dividends | 三菱UFJ、増配を発表
-1 |  | dividends | 日産、無配に転落
1 | 6758.T | share-buybacks | ソニー、2500億円の自社株買い
-1 | BAYN.DE | lawsuits | バイエルに20億ドルの賠償命令
-1 |  | layoffs | 日産、9000人を削減
-1 |  | layoffs | パナソニック、1万人規模の人員削減へ
1 |  |  | 三菱重工、過去最大の受注
1 | 7974.T |  | 任天堂株が上場来高値を更新
-1 | 9984.T |  | ソフトバンクG株が急落
1 | N225 | asian-indices | 日経平均、3日続伸
-1 | N225 | asian-indices | 日経平均が大幅反落、終値は800円安
1 | DJI | us-indices | NYダウが最高値更新
-1 | NDX | us-indices | ナスダック急落、ハイテク株に売り
0 |  | bank-of-japan central-banks? | 日銀、金融政策の現状維持を決定
0 |  | bank-of-japan central-banks? | 日銀総裁「データを見て判断」
0 |  | federal-reserve central-banks? | FRB、0.25%の利下げを決定
-1 |  | inflation consumer-prices? | 消費者物価が3%上昇、家計を圧迫
1 |  | inflation consumer-prices? | 米インフレ率が予想以上に鈍化
-1 |  | gdp | 7〜9月期GDP、マイナス成長
1 |  | gdp | GDP、年率2.2%増
-1 |  | jobs-reports? | 失業率が悪化
-1 |  | tariffs | 米、自動車に25%の追加関税
0 |  | mergers-and-acquisitions | セブン&アイ、買収提案を検討
1 | 8306.T | mergers-and-acquisitions | 三菱UFJ、インド金融大手の買収を完了
0 |  | ipos | キオクシア、上場を延期
1 |  | ipos | 東京メトロが上場、初値は公開価格を36%上回る
1 | 7203.T | analyst-ratings | トヨタの投資判断を「買い」に引き上げ
-1 | 7267.T | analyst-ratings | ホンダの目標株価を引き下げ、UBS
0 | 6861.T | analyst-ratings | キーエンスの投資判断「中立」を維持
1 | XAU | gold | 金価格が最高値を更新
-1 | XAU | gold | 金先物が続落
1 | WTI | crude-oil | 原油先物が急騰
-1 | WTI | crude-oil | 原油が反落
1 | BTC | bitcoin | ビットコインが10万ドルを突破
-1 | BTC | bitcoin | ビットコイン急落
-1 |  | strikes | 港湾労組がストライキに突入
0 |  | strikes | 米自動車労組、ストを終結
-1 | GOOGL | antitrust | 公取委、グーグルに独禁法違反で排除命令
-1 | META | antitrust? regulatory-probes? | EU、メタを調査
-1 | 8306.T | regulatory-probes? | 金融庁、三菱UFJ銀行に業務改善命令
1 | 6758.T | earnings | ソニー、最高益を更新
-1 | 9983.T | earnings | ファーストリテイリング、減益
1 | 7974.T | earnings | 任天堂、売上高が2倍に
-1 | 6861.T | earnings | キーエンスの決算、市場予想に届かず
1 | 7203.T | earnings | トヨタの減益幅、予想より小さく
1 | 8306.T | earnings | 三菱UFJ、増収増益
-1 |  | earnings | 日産の赤字が拡大
1 |  | earnings | シャープ、黒字転換
1 | AIR.PA |  | エアバス、大型契約を獲得
-1 | AIR.PA | supply-chains? | エアバス、納入が遅延
-1 | AAPL |  | アップル、中国で販売不振
1 | TSLA |  | テスラ株が急伸
-1 | BA |  | ボーイング、大口顧客を失う
0 | AAPL |  | アップル、新型iPhoneを発表
0 | 7203.T | executive-changes | トヨタ社長が退任へ
1 | 7974.T | guidance | 任天堂、通期見通しを引き上げ
-1 |  | drug-trials? | 武田薬品、治験が失敗
1 | UBSG.SW | earnings | UBS、利益が倍増
0 | BTC | bitcoin? | ビットコインとは何か、初心者向けに解説
0 |  |  | 週末の天気、全国的に晴れ
0 |  |  | 大谷が本塁打、チームは優勝
0 |  |  | 美術館で印象派の展覧会
0 |  |  | よく眠るための10の方法
0 |  |  | 子どもたちが平和の絵を描く
-1 |  |  | 家具メーカーが経営破綻
-1 |  |  | アパレル大手が民事再生を申請
1 |  |  | 部品メーカー、倒産を回避
-1 |  | layoffs | ルノー、数千人をリストラ
1 |  |  | 2000人を新規雇用へ
1 | BA |  | ボーイング、100機を受注
-1 | INTC | factories? | インテル、工場建設を中止
1 | NVDA | earnings | エヌビディア決算、市場予想を上回る
-1 | NVDA |  | エヌビディア株が下落
0 | 7203.T |  | トヨタ、名古屋で株主総会を開催
1 |  |  | 消費者心理が改善
-1 |  |  | 鉱工業生産が低下
-1 |  |  | 輸出が大幅減
1 |  |  | 輸出が増加
-1 |  | guidance | 資生堂、今期予想を大幅に引き下げ
1 | 7203.T | guidance | トヨタ、関税影響でも通期予想を据え置き
-1 | PYPL | data-breaches | ペイパルで情報流出
0 | AMZN |  | アマゾン、埼玉に物流拠点を開設
-1 | META | lawsuits | 出版社、メタを提訴
1 | META | lawsuits | 地裁、メタへの訴えを棄却
-1 | SAN.MC |  | サンタンデール銀行に制裁金
1 | ASML.AS |  | ASML、受注が過去最高
-1 | ASML.AS |  | ASMLに失望売り
1 | COPPER |  | 銅価格が上昇
-1 | N225 HSI? | asian-indices | アジア株が全面安、日経平均も大幅安
1 | USDJPY |  | 円が上昇、1ドル=140円台
0 |  |  | 確定申告の期限はいつまで
0 | 6758.T |  | ソニー、東京に研究所を開く
-1 | HSBA.L | earnings | HSBC、利益が半減
1 | 9984.T |  | ソフトバンクG、米社と大型提携
`
