/** Chinese headlines in the format of parse.ts. Written before the rules; every third line is held back. */
export default `
1 | 0700.HK | earnings | 腾讯第三季度净利润增长20%
-1 | 9988.HK | earnings | 阿里巴巴净利润大幅下滑
-1 | 1810.HK | guidance | 小米下调全年业绩预期
1 | 1211.HK | guidance | 比亚迪上调全年销售目标
-1 | 1211.HK | recalls | 比亚迪召回10万辆汽车
0 | 9988.HK | executive-changes | 阿里巴巴任命新任首席财务官
1 | 600519.SS | dividends | 贵州茅台宣布提高分红
-1 |  | dividends | 万科取消派息
1 | 0700.HK | share-buybacks | 腾讯斥资10亿港元回购股份
-1 | BAYN.DE | lawsuits | 拜耳被判赔偿20亿美元
-1 | 3690.HK | layoffs | 美团裁员数千人
-1 |  | layoffs | 蔚来宣布裁员10%
1 |  |  | 中国中车中标百亿元大单
1 | 600519.SS |  | 贵州茅台股价创历史新高
-1 | 1810.HK |  | 小米股价暴跌
1 | HSI | asian-indices | 恒生指数收涨2%
-1 | HSI | asian-indices | 恒指大跌逾千点
1 | DJI | us-indices | 道指再创历史新高
-1 | NDX | us-indices | 纳指重挫4%
0 |  | peoples-bank-of-china central-banks? | 中国央行维持贷款市场报价利率不变
0 |  | peoples-bank-of-china central-banks? | 中国人民银行召开工作会议
0 |  | federal-reserve central-banks? | 美联储降息25个基点
-1 |  | inflation consumer-prices? | 美国通胀升温超预期
1 |  | inflation consumer-prices? | 美国通胀放缓幅度超过预期
-1 |  | gdp | 德国经济萎缩0.2%
1 |  | gdp | 中国GDP同比增长5.2%
-1 |  | jobs-reports? | 失业率升至新高
-1 |  | tariffs | 美国威胁加征新关税
0 | 9988.HK | mergers-and-acquisitions | 阿里巴巴考虑收购外卖平台
1 | 0700.HK | mergers-and-acquisitions | 腾讯成功完成对音乐平台的收购
0 |  | ipos | 滴滴推迟上市计划
1 |  | ipos | 蜜雪冰城上市首日大涨40%
1 | 0700.HK | analyst-ratings | 高盛上调腾讯评级至买入
-1 | 1810.HK | analyst-ratings | 瑞银下调小米目标价
0 | 3690.HK | analyst-ratings | 摩根士丹利维持美团中性评级
1 | XAU | gold | 黄金价格再创新高
-1 | XAU | gold | 金价跌破4000美元
1 | BRENT | crude-oil | 国际油价大涨
-1 | BRENT | crude-oil | 油价暴跌
1 | BTC | bitcoin | 比特币突破10万美元
-1 | BTC | bitcoin | 比特币暴跌
-1 |  | strikes | 港口工人罢工
0 |  | strikes | 工会结束罢工
-1 | GOOGL | antitrust | 欧盟对谷歌开出巨额反垄断罚单
-1 | META | antitrust? regulatory-probes? | 欧盟调查Meta
-1 | 9988.HK | regulatory-probes | 市场监管总局对阿里巴巴立案调查
1 | 0700.HK | earnings | 腾讯业绩超预期
-1 | 3690.HK | earnings | 美团营收不及预期
1 | 1211.HK | earnings | 比亚迪营收同比增长30%
-1 | 9988.HK | earnings | 阿里巴巴利润低于预期
1 | 1810.HK | earnings | 小米销售额降幅小于预期
1 | 600519.SS | earnings | 贵州茅台净利润创新高
-1 |  | earnings | 蔚来亏损扩大
1 |  | earnings | 理想汽车扭亏为盈
1 | AIR.PA |  | 空客获得大额订单
-1 | AIR.PA | supply-chains? | 空客交付延误
-1 | AAPL |  | 苹果在华销量下滑
1 | TSLA |  | 特斯拉股价大涨
-1 | BA |  | 波音失去大客户
0 | AAPL |  | 苹果发布新款iPhone
0 | 9988.HK | executive-changes | 阿里巴巴首席执行官辞职
1 | 0700.HK | guidance | 腾讯上调全年指引
-1 |  | drug-trials? | 百济神州临床试验失败
1 | UBSG.SW | earnings | 瑞银利润翻倍
0 | BTC | bitcoin? | 比特币是什么？一文读懂
0 |  |  | 周末全国多地有雨
0 |  |  | 国足在主场取得平局
0 |  |  | 故宫举办文物展览
0 |  |  | 改善睡眠的十个方法
0 |  |  | 孩子们画出和平的愿望
-1 |  |  | 家具制造商申请破产
-1 |  |  | 恒大被法院颁令清盘
1 |  |  | 零部件企业避免破产
-1 |  | layoffs | 雷诺削减数千个岗位
1 |  |  | 公司将新增2000个就业岗位
1 | BA |  | 波音获100架飞机订单
-1 | INTC | factories? | 英特尔暂停建厂
1 | NVDA | earnings | 英伟达业绩再超预期
-1 | NVDA |  | 英伟达股价下跌
0 | 600519.SS |  | 贵州茅台召开股东大会
1 |  |  | 消费者信心回升
-1 |  |  | 工业产出下降
-1 |  |  | 出口大幅下滑
1 |  |  | 出口强劲增长
-1 |  | guidance | 万科发布盈利预警
1 | 1211.HK | guidance | 尽管面临关税，比亚迪维持全年目标
-1 | PYPL | data-breaches | 贝宝发生数据泄露
0 | AMZN |  | 亚马逊在成都开设物流中心
-1 | META | lawsuits | 出版商起诉Meta
1 | META | lawsuits | 法院驳回对Meta的诉讼
-1 | HSBA.L |  | 汇丰被罚款
1 | ASML.AS |  | 阿斯麦订单创纪录
-1 | ASML.AS |  | 阿斯麦令投资者失望
1 | COPPER |  | 铜价上涨
-1 | HSI CSI300? | asian-indices | 港股全线下跌，恒生指数失守两万点
1 | USDCNY |  | 人民币兑美元升至三年新高
0 |  |  | 个税申报截止日期是哪天
0 | 0700.HK |  | 腾讯在深圳设立研究中心
-1 | HSBA.L | earnings | 汇丰利润减半
1 | 1810.HK |  | 小米与车企签署重要合作协议
`
