"""Words of `quiz grade --all --dask`."""

WORDS: dict[str, tuple[str, str]] = {
    "batch.no-distributed": (
        "--dask needs the package distributed, which is not installed",
        "--dask 需要 distributed 包，但它没有安装",
    ),
    "batch.no-distributed.hint": (
        "install it: pip install 'gpu-quiz[cluster]'",
        "安装方法：pip install 'gpu-quiz[cluster]'",
    ),
    "batch.jobs-and-dask": (
        "--jobs is for this machine, --dask for a cluster",
        "--jobs 用于本机，--dask 用于集群",
    ),
    "batch.jobs-and-dask.hint": (
        "leave out --jobs: the threads of the cluster's workers decide",
        "请去掉 --jobs：由集群 worker 的线程数决定",
    ),
    "batch.no-scheduler": (
        "no Dask scheduler answers at {address}: {reason}",
        "{address} 处没有 Dask scheduler 响应：{reason}",
    ),
    "batch.no-scheduler.hint": (
        "start one with `dask scheduler`, and name the address that it prints",
        "用 `dask scheduler` 启动一个，并使用它输出的地址",
    ),
    "batch.no-workers": (
        "the Dask scheduler at {address} has no workers",
        "{address} 处的 Dask scheduler 没有 worker",
    ),
    "batch.no-workers.hint": (
        "start some, for example with `dask worker ADDRESS`",
        "请启动 worker，例如用 `dask worker 地址`",
    ),
    "batch.quiz-missing": (
        "{n} processes of the cluster cannot load this version of quiz: {where} ({reason})",
        "集群中有 {n} 个进程无法加载此版本的 quiz：{where}（{reason}）",
    ),
    "batch.quiz-missing.one": (
        "one process of the cluster cannot load this version of quiz: {where} ({reason})",
        "集群中有一个进程无法加载此版本的 quiz：{where}（{reason}）",
    ),
    "batch.quiz-missing.hint": (
        "install the same version of quiz where the scheduler and the workers run",
        "请在 scheduler 和 worker 运行的环境中安装同一版本的 quiz",
    ),
    "batch.quiz-differs": (
        "{n} processes of the cluster have another quiz: {where} ({there}; here {here})",
        "集群中有 {n} 个进程的 quiz 版本不同：{where}（{there}；本机 {here}）",
    ),
    "batch.quiz-differs.one": (
        "one process of the cluster has another quiz: {where} ({there}; here {here})",
        "集群中有一个进程的 quiz 版本不同：{where}（{there}；本机 {here}）",
    ),
    "batch.quiz-differs.hint": (
        "install the same version everywhere, and start those processes again",
        "请在各处安装同一版本，并重启这些进程",
    ),
    "batch.workers-lost": (
        "the Dask workers that graded it were lost {tries} times",
        "评判它的 Dask worker 丢失了 {tries} 次",
    ),
    "batch.workers-gone": (
        "the cluster has had no workers for {seconds:g} seconds",
        "集群已有 {seconds:g} 秒没有 worker",
    ),
    "batch.workers-gone.hint": (
        "the results are kept: start workers, then repeat the command with --resume",
        "结果已保留：请启动 worker，再加上 --resume 重新运行",
    ),
    "batch.cluster-lost": (
        "the connection to the Dask scheduler at {address} was lost",
        "与 {address} 处 Dask scheduler 的连接已断开",
    ),
    "batch.cluster-lost.hint": (
        "the results are kept: repeat the command with --resume once it is back",
        "结果已保留：恢复后请加上 --resume 重新运行",
    ),
    "batch.cluster-failed": (
        "the cluster failed: {reason}",
        "集群出错：{reason}",
    ),
    "batch.cluster-failed.hint": (
        "the results are kept: once that is fixed, repeat the command with --resume",
        "结果已保留：修复后请加上 --resume 重新运行",
    ),
}
